// Browsers in short: what a user agent calls itself, as far as it helps somebody to know their own.
import { words } from '../../words/index.ts';

/** The first that fits: those that are built on others name them as well, and stand before them. */
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

/** Long enough to tell one's own programs apart. */
const SHORT = 40;

/** "Firefox on Windows"; of what is no browser that is known, the beginning of what it calls itself. */
export function describeBrowser(userAgent: string | null): string {
  const texts = words.account.sessions;
  if (!userAgent) return texts.unknownBrowser;
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return userAgent.length > SHORT ? `${userAgent.slice(0, SHORT)}…` : userAgent;
  return system === undefined ? browser : texts.browserOn(browser, system);
}
