/** The document that every page of the site is: one file that needs nothing from anywhere, and readable before its script runs. */
import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { Markup } from './markup.tsx';

/** See {@link Layout}. */
export interface LayoutProps {
  /** Of the page; the name of the site is added to it. */
  readonly title: string;
  /** Path from the page to the folder of the site: empty, or `../`. */
  readonly root: string;
  /** The page of the navigation that this one is. */
  readonly current?: 'index' | 'matrix';
  readonly style: string;
  readonly script?: string | undefined;
  /** The content of `<main>`; its `<h1>` included. */
  readonly children?: ComponentChildren;
}

export function Layout({ title, root, current, style, script, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy(style, script)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · shardlab`}</title>
        <Markup tag="style" html={style} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="site">
          <nav aria-label="Site">
            <NavLink href={`${root}index.html`} isCurrent={current === 'index'} label="Experiments" />
            <NavLink href={`${root}matrix.html`} isCurrent={current === 'matrix'} label="Matrix" />
          </nav>
        </header>
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="site">
          Generated from result records by <code>npm run report -- --site</code>.
        </footer>
        {script && <Markup tag="script" html={script} />}
      </body>
    </html>
  );
}

function NavLink({ href, isCurrent, label }: { href: string; isCurrent: boolean; label: string }) {
  return (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </a>
  );
}

/** What a server said can run nothing, even if it should get past the escaping: only these two texts are let through. */
function contentSecurityPolicy(style: string, script: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    script && `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
    .filter(Boolean)
    .join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
