/** How diagrams look: measures, colours for light and dark, and the marks of what changed. */
import type { ChangeMark } from './marks.ts';

/** Pixels. GitHub shows a file's text about 830 wide. */
export const WIDTH = 820;
/** Of a character of the monospaced text (11 px): what fits is worked out, because nothing measures text here. */
export const CHARACTER = 6.65;
export const LINE = 18;

/** The marks in a picture, which shows nothing of what was refused: the class of their colour, and what they mean. */
export const MARKS: Readonly<Record<ChangeMark, { readonly colour: string; readonly words: string }>> = {
  new: { colour: 'n', words: 'new' },
  gone: { colour: 'g', words: 'gone afterwards' },
  moved: { colour: 'v', words: 'moved' },
  changed: { colour: 'v', words: 'changed' },
};

/**
 * Every pair of text and background is at least 4.5 : 1, on white as on the dark of GitHub (#0d1117). The background is transparent: an
 * image's scheme is that of the page around it.
 */
export const STYLE = `svg{--f:#1f2328;--m:#59636e;--l:#818b98;--b:#f0f6fc;--s:#57606a;--d:#57606a;--n:#1a7f37;--g:#cf222e;--v:#0969da;--o:#fff}
@media(prefers-color-scheme:dark){svg{--f:#f0f6fc;--m:#9198a1;--l:#656c76;--b:#151b23;--s:#9198a1;--d:#9198a1;--n:#3fb950;--g:#f85149;--v:#4493f8;--o:#0d1117}}
text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:var(--f)}
.h{font:600 13px system-ui,sans-serif}.t{font:12px system-ui,sans-serif}.m{fill:var(--m)}.c{text-anchor:middle}.e{text-anchor:end}
.b{fill:var(--b);stroke:var(--s)}.w{stroke-width:2.5}.k{stroke-dasharray:5 3}.l{stroke:var(--l);stroke-dasharray:1 3}.r{stroke:var(--l)}
.d{fill:var(--d)}.p{fill:none;stroke:var(--d);stroke-dasharray:2 2}.x{font-weight:700;text-anchor:middle;fill:var(--o)}
.n{fill:var(--n)}.g{fill:var(--g)}.v{fill:var(--v)}.sn{stroke:var(--n)}.sg{stroke:var(--g)}.sv{stroke:var(--v)}`;
