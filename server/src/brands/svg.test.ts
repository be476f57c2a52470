// SVG files: no file of the accepted size keeps the service busy.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanSvg } from './svg.ts';

const wrap = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}<path d="M0 0"/></svg>`;

/** In characters. A larger file is refused before it is read. */
const LENGTH = 100_000;

const fill = (part: string) => part.repeat(LENGTH / part.length);

/** Returns the processor time in milliseconds: other processes may be busy too. */
function timeOf(text: string): number {
  const bytes = Buffer.from(text);
  const start = process.cpuUsage();
  cleanSvg(bytes);
  return process.cpuUsage(start).user / 1000;
}

describe('an SVG file', () => {
  it('keeps its transforms', () => {
    for (const value of ['scale(1)', ' translate(1, -2.5e1) ,rotate(4)\n', '', 'matrix(1 0 0 1 0 0)skewX(1)']) {
      assert.ok(cleanSvg(Buffer.from(wrap(`<g transform="${value}"/>`))).includes('<g transform='), value);
    }
    for (const value of ['scale(1)x', 'url(#a)', 'scale(scale(1))', 'scale(1']) {
      assert.ok(!cleanSvg(Buffer.from(wrap(`<g transform="${value}"/>`))).includes('transform'), value);
    }
  });

  it('is read in linear time', () => {
    timeOf(wrap(fill('a')));
    const harmless = timeOf(wrap(fill('a')));
    const hostile = {
      'spaces behind a transform': `<g transform="scale(1)${fill(' ')}!"/>`,
      transforms: `<g gradientTransform="${fill('scale(1) , ')}!"/>`,
      'line breaks of Windows': fill('a\r\n'),
      'line breaks of old systems': fill('\r'),
      'spaces in a path': `<path d="${fill(' ')}!"/>`,
      'spaces in a colour': `<g fill="url(#a)${fill(' ')}!"/>`,
      'declarations of a style': `<g style="${fill('fill:red;')}"/>`,
      'white space around the view box': `<svg viewBox="0 0 9${fill(' ')}9"/>`,
    };
    for (const [what, inside] of Object.entries(hostile)) {
      const time = timeOf(wrap(inside));
      // Linear reading takes a few milliseconds, quadratic reading more than a second.
      assert.ok(time < 20 * harmless + 300, `${what}: ${time} ms against ${harmless} ms`);
    }
  });
});
