// Browser names: the browser and system of a user agent, for users to recognize their own sessions.
import { words } from '../words/index.ts';

/** The first match wins. A browser that is built on another one also names that one, so it comes first. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^okhttp\//, 'okhttp'],
  [/^curl\//, 'curl'],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Longest part of an unknown user agent that is shown. */
const SHORT = 40;

/** Returns "Firefox on Windows", or the beginning of the user agent for an unknown browser. */
export function describeBrowser(userAgent: string | null): string {
  const texts = words.browser;
  if (!userAgent) return texts.unknown;
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return userAgent.length > SHORT ? `${userAgent.slice(0, SHORT)}…` : userAgent;
  return system === undefined ? browser : texts.on(browser, system);
}
