// The frame of e-mails in HTML: the name and the colour of the front end, around the text of the template.
import { escapeHtml } from './template.ts';

/** What a message shows of a front end. */
export type MessageBrand = {
  readonly name: string;
  /** As `#rrggbb`. */
  readonly colour: string;
};

/**
 * Returns the e-mail with the name and the colour of the front end above it. A template that is a whole document has a
 * look of its own, and stays as it is. No text stands on the colour, so that every colour is legible.
 */
export function frameHtml(html: string, { name, colour }: MessageBrand): string {
  if (/<(html|body)[\s>]/i.test(html)) return html;
  return `<div style="max-width:36em;font-family:system-ui,sans-serif;line-height:1.5">
<p style="margin:0 0 1.5em;padding:.75em 0;border-bottom:4px solid ${escapeHtml(colour)};font-size:1.2em"><strong>${escapeHtml(name)}</strong></p>
${html}</div>
`;
}
