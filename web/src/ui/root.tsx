// The root of both entries: loads texts, theme and brand before it shows the first page.
import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askedLanguages } from '../api/front-end.ts';
import { latchkey } from '../api/latchkey.ts';
import type { FirstWords } from '../words/en-first.ts';
import { loadWords, readLanguages } from '../words/index.ts';
import { BrandContext, plainBrand } from './application.ts';
import { styleNonce } from './nonce.ts';
import { createAppTheme, createColourResolver } from './theme.ts';

Object.assign(globalThis, { __webpack_nonce__: styleNonce });

/**
 * Shows the pages.
 * @param english the English texts of the first view, if it uses more than the sign-in pages do.
 * @param startPart loads what is shown next. A part takes its texts when it is loaded, so the reader's language is there before.
 */
export async function showRoot(pages: ReactNode, english?: FirstWords, startPart?: () => void): Promise<void> {
  const reading = latchkey.call('FrontEndApp/GetBrand').catch(() => plainBrand);
  const wording = loadWords(readLanguages(askedLanguages), english).then(startPart);
  const [brand] = await Promise.all([reading, wording, latchkey.ready]);
  document.title = brand.name;
  const root = document.querySelector('#root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={createAppTheme(brand.colour)}
        cssVariablesResolver={createColourResolver(brand.colour)}
        defaultColorScheme="auto"
        // The sign-in pages have no style sheet with the variables: it would be larger than the code that writes them.
        deduplicateCssVariables={false}
        getStyleNonce={() => styleNonce}
      >
        <BrandContext value={brand}>{pages}</BrandContext>
      </MantineProvider>
    </StrictMode>,
  );
}
