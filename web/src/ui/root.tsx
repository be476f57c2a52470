// The root of both entries: words and look are settled before the first page is shown.
import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { latchkey } from '../api/latchkey.ts';
import { loadWords } from '../words/index.ts';
import { type Application, ApplicationContext, plainApplication } from './application.ts';
import { createLook, resolveColours } from './theme.ts';

/** Of the answer that brought this page: style sheets made at run time carry it. */
const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

async function readApplication(): Promise<Application> {
  const value = await latchkey.call('Settings/GetValue', { name: 'Latchkey.Application' });
  return { ...plainApplication, ...(value as Partial<Application>) };
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
        theme={createLook(application.colour)}
        cssVariablesResolver={resolveColours}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <ApplicationContext value={application}>{pages}</ApplicationContext>
      </MantineProvider>
    </StrictMode>,
  );
}
