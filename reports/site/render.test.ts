import { createHash } from 'node:crypto';
import { createElement } from 'preact';
import { describe, expect, it } from 'vitest';
import { renderPage } from './render.ts';

describe('a page', () => {
  const page = renderPage({
    title: '</title><script>alert(1)</script>',
    root: '../',
    current: 'matrix',
    client: 'steps',
    children: createElement('h1', null, 'A <b> & "c"'),
  });

  it('is a document with a title, a language and landmarks', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain('<title>&lt;/title>&lt;script>alert(1)&lt;/script> · shardlab</title>');
    expect(page).toContain('<a href="../matrix.html" aria-current="page">Matrix</a>');
    expect(page).toContain('<h1>A &lt;b> &amp; &quot;c&quot;</h1></main>');
  });

  it('names nothing outside of itself', () => {
    expect(page).not.toMatch(/\b(?:src|srcset)=|<link\b|@import|url\(/);
  });

  it.each(['style', 'script'])('lets its own %s through and no other', (tag) => {
    const text = page.match(new RegExp(`<${tag}>(.*?)</${tag}>`, 's'))?.[1] ?? '';
    const hash = createHash('sha256').update(text).digest('base64');
    expect(page).toContain(`${tag}-src 'sha256-${hash}'`);
    expect(page.split(`<${tag}`)).toHaveLength(2);
  });
});
