// The pages for people who hear them, choose their own colours or want no motion.
// Alone in its process: it awaits before it declares its tests.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openSignedIn, type Pages, startPages } from './support/browser.ts';
import { findTreeFaults, openLook } from './support/looks.ts';
import { liftLimits } from './support/messages.ts';

const look = { language: 'en', widths: [1280], schemes: [] } as const;

describe('the pages for everybody', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function openAt(path: string): Promise<Page> {
    const page = await (await openLook(pages, look)).newPage();
    await openSignedIn(page, `/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const picture = (control: Locator) => control.screenshot({ animations: 'disabled', caret: 'hide' });

  it('have one title, one main area and a name for each control', async () => {
    const page = await openAt('/users');
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
    assert.deepEqual(await findTreeFaults(page), []);
    await page.setContent('<main><h1>One</h1><h1>Two</h1><button></button></main><main></main>');
    const faults = await findTreeFaults(page);
    assert.deepEqual(faults, ['no name: - button', '2 titles', '2 main areas']);
    await page.context().close();
  });

  it('say aloud what has changed: an error, a result, another page', async () => {
    const visitor = await (await pages.open()).newPage();
    await visitor.goto('/login');
    await visitor.getByLabel('User name or e-mail address').fill('nobody');
    await visitor.getByLabel('Password', { exact: true }).fill('not it');
    await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
    const alert = visitor.getByRole('alert');
    await alert.waitFor();
    assert.equal(await alert.evaluate((element) => element.closest('[aria-live=assertive]') !== null), true);
    await visitor.context().close();

    const page = await openAt('/settings?category=Password+complexity&frontEnd=default-app');
    await page.getByRole('switch', { name: 'Require digit' }).press('Space');
    await page.keyboard.press('Control+s');
    const saved = page.getByText(/^Require digit: saved\./);
    await saved.waitFor();
    assert.equal(
      await saved.evaluate((element) => element.closest('[role=status], [role=alert], [aria-live]') !== null),
      true,
    );
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Roles' }).and(page.locator(':focus')).waitFor();
    await page.context().close();
  });

  it('show the focus, and what is on, in the colours of the reader', async () => {
    const page = await openAt('/settings?category=Password+complexity&frontEnd=default-app');
    await page.emulateMedia({ forcedColors: 'active' });
    const control = page.getByRole('switch', { name: 'Require digit' });
    const track = page.locator('.mantine-Switch-root', { has: control }).locator('.mantine-Switch-track');
    await control.waitFor();
    for (const stop of [
      page.getByRole('link', { name: 'Users', exact: true }),
      page.getByRole('button', { name: 'Presets' }),
    ]) {
      const before = await picture(stop);
      await stop.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      const outline = await stop.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).outlineStyle);
      assert.ok(outline !== 'none' || !before.equals(await picture(stop)), 'the focus is seen');
    }
    await control.focus();
    const off = await picture(track);
    await control.press('Space');
    assert.equal(off.equals(await picture(track)), false, 'a switch looks otherwise when it is on');
    // A picture of what is chosen differs from that of the same with nothing chosen.
    const chosen = page.locator('.mantine-SegmentedControl-label', { hasText: 'Front-end specific' });
    const marked = await picture(chosen);
    await chosen.evaluate((one) => one.removeAttribute('data-active'));
    assert.equal(marked.equals(await picture(chosen)), false, 'a choice is seen');
    await page.context().close();
  });

  it('move nothing for people who ask for that', async () => {
    const page = await openAt('/users');
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
    const moving = await page.evaluate(`[...document.querySelectorAll('*')]
      .filter((one) => {
        const { transitionDuration, animationName } = getComputedStyle(one);
        return /[1-9]/.test(transitionDuration) || animationName !== 'none';
      })
      .map(({ className }) => className)`);
    assert.deepEqual(moving, []);
    await page.context().close();
  });
});
