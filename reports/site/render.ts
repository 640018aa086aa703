/** From a page's content to the text of its file. */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { createElement } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Layout, type LayoutProps } from './layout.tsx';

/** What a page says of itself; its style is that of all pages. */
export interface Page extends Omit<LayoutProps, 'style' | 'script'> {
  /** The browser code that it needs: the name of a file in client/, without its ending. */
  readonly client?: string;
}

/** @returns a whole HTML document, style and script inside */
export function renderPage({ client, ...page }: Page): string {
  const style = bundled('style.css');
  const script = client && bundled(`client/${client}.ts`);
  return `<!doctype html>\n${renderToString(createElement(Layout, { ...page, style, script }))}\n`;
}

const bundles = new Map<string, string>();

/** One text out of a file of this folder and all that it imports. esbuild leaves no `</script>` and no `</style>` in it. */
function bundled(file: string): string {
  const text = bundles.get(file) ?? bundle(fileURLToPath(new URL(file, import.meta.url)));
  bundles.set(file, text);
  return text;
}

function bundle(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome100', 'firefox100', 'safari15.4'],
    charset: 'utf8',
    write: false,
    logLevel: 'silent', // what goes wrong is thrown
  });
  return outputFiles[0]?.text.trim() ?? '';
}
