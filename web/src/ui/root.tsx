// The root of both entries: loads texts, theme and brand before it shows the first page.
import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { latchkey } from '../api/latchkey.ts';
import { loadWords } from '../words/index.ts';
import { BrandContext, plainBrand } from './application.ts';
import { styleNonce } from './nonce.ts';
import { createAppTheme, createColourResolver } from './theme.ts';

Object.assign(globalThis, { __webpack_nonce__: styleNonce });

/** Shows the pages. */
export async function showRoot(pages: ReactNode): Promise<void> {
  const reading = latchkey.call('FrontEndApp/GetBrand').catch(() => plainBrand);
  const [brand] = await Promise.all([reading, loadWords(), latchkey.ready]);
  document.title = brand.name;
  const root = document.querySelector('#root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={createAppTheme(brand.colour)}
        cssVariablesResolver={createColourResolver(brand.colour)}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <BrandContext value={brand}>{pages}</BrandContext>
      </MantineProvider>
    </StrictMode>,
  );
}
