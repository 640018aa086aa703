/** The one door for text that is HTML already. */
import { createElement } from 'preact';

/**
 * An element around text that is taken as it is.
 * @param html made by this project or by a library that escapes (highlight.js), never text of a server
 */
export function Markup({ tag, html, class: name }: { tag: string; html: string; class?: string }) {
  return createElement(tag, { ...(name && { class: name }), dangerouslySetInnerHTML: { __html: html } });
}

/** Data for the page's script, which finds it by `id`. No text in it can end the element. */
export function JsonData({ id, value }: { id: string; value: unknown }) {
  const html = JSON.stringify(value).replaceAll('<', '\\u003c');
  return createElement('script', { type: 'application/json', id, dangerouslySetInnerHTML: { __html: html } });
}
