// The root of both entries: loads texts and theme before it shows the first page.
import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { latchkey, readSetting } from '../api/latchkey.ts';
import { loadWords } from '../words/index.ts';
import { type Application, ApplicationContext, plainApplication } from './application.ts';
import { createAppTheme, resolveColours } from './theme.ts';

/** The nonce of this page's response. Style sheets that are created at run time need it. */
const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

async function readApplication(): Promise<Application> {
  const { name, colour } = await readSetting('Latchkey.Application');
  return {
    name: typeof name === 'string' ? name : plainApplication.name,
    colour: typeof colour === 'string' ? colour : plainApplication.colour,
  };
}

/** Shows the pages. */
export async function showRoot(pages: ReactNode): Promise<void> {
  const reading = readApplication().catch(() => plainApplication);
  const [application] = await Promise.all([reading, loadWords(), latchkey.ready]);
  document.title = application.name;
  const root = document.querySelector('#root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={createAppTheme(application.colour)}
        cssVariablesResolver={resolveColours}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <ApplicationContext value={application}>{pages}</ApplicationContext>
      </MantineProvider>
    </StrictMode>,
  );
}
