// The build of the pages: two entries, hashed files in one folder, and nothing inline, as the content security policy demands.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { packagesIn } from '../scripts/bundle/packages.ts';
import { preloadFirstPart } from './build/first-paint.ts';
import { guides } from './build/guides.ts';
import { loadFilesFirst } from './build/load-files-first.ts';
import { usePreact } from './build/preact.ts';
import { writeTokens } from './build/tokens.ts';

/** Lists the npm packages in the pages, for their licences: a file for each environment. */
const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle(_options, bundle) {
    const source = JSON.stringify(packagesIn(Object.values(bundle)));
    this.emitFile({ type: 'asset', fileName: `.packages/${this.environment.name}.json`, source });
  },
};

/** What most sign-in pages share. */
const SHARED = [
  'src/sign-in/(back-links|end-notice|finish-sign-in|last-method|method-button|name-field|offers|provider-buttons)',
  'src/sign-in/(registration|remaining|stay-signed-in|trusted-device)',
  'src/(api/means|factors/passkeys|ui/(check|password-field|provider-icon))',
  'sdk/src/(challenge|passkeys)',
  '@mantine/(core|hooks)/.*/(ActionIcon.*|PasswordInput.*|PasswordToggleIcon|TextInput.*|use-uncontrolled)',
  'lucide-react/.*/(Icon|context|createLucideIcon|log-in|shared/.*)',
];

/** What the sign-in pages share that ask for a code or a new password. */
const CODES = [
  'src/sign-in/(kept-message|kept-request|resend-button|set-password|sign-out-link|use-session-end)',
  'src/ui/(account-name|code-field|new-password|password-rules|pin-field|pin-rules|use-load|wide-button)',
  '@mantine/core/.*/(List.*|ThemeIcon.*|create-safe-context)',
  '@mantine/hooks/.*/use-debounced-value',
];

/** What the overview shares with other pages: it loads no other controls. */
const FIGURES = [
  'src/(api/means|app/send-test|app/overview/.*)',
  '@mantine/core/.*/(Flex|FloatingIndicator|SegmentedControl|SimpleGrid|ThemeIcon)/.*',
  '@mantine/core/.*/(get-base-value|get-env|primitive|to-int)',
  '@mantine/hooks/.*/(shallow-equal|use-(callback-ref|mounted|mutation-observer|shallow-effect|timeout))',
  'lucide-react/.*/(check|circle-check)',
];

/** The texts that the lists of users and roles have not, and what the pages with these texts share. */
const ADMINISTRATION = [
  'src/words/(all|en-(administration|api|applications|audit|brand|connect|external-providers|setting.*|webhooks))',
  'src/app/(applications|audit(?!/audit-search)|connect|external-providers|front-ends|settings|webhooks)/.*',
  'src/ui/(difference|rotate-dialog)',
];

/** The field of a number: it is as large as the other inputs together, and two pages have it. */
const NUMBERS = ['@mantine/core/.*/NumberInput/.*', 'react-number-format/.*'];

/** The inputs of forms. A list has a plain field and a plain choice. */
const INPUTS = [
  '@mantine/core/.*/Combobox/(?!.*(ComboboxChevron|Combobox.module|get-parsed-combobox-data)).*',
  '@mantine/core/.*/(Fieldset|PasswordInput|Pill|PillsInput|Switch|TagsInput|Textarea)/.*',
  'src/ui/(new-password|password-field|password-rules|tags-field)',
];

/** What is left: the list of users has nearly all of it. */
const CONTROLS = [
  'node_modules/.*',
  'src/(ui(?!/shown-once)|words)/.*',
  'src/app/(use-creation|audit/audit-search|roles/role|users/(initials|status|user))',
];

/** A file of the modules at these paths, as far as several parts have them. */
const fileOf = (name: string, paths: readonly string[], minShareCount = 2) => ({
  name,
  test: new RegExp(`/(${paths.join('|')})\\.[cm]?[jt]sx?$`),
  minShareCount,
});

/**
 * Returns the options of the page `name`. What it loads at first is one file, and what its parts share is in few `files`: many
 * small ones are larger, and take longer.
 */
const page = (name: string, files: readonly ReturnType<typeof fileOf>[]) => ({
  input: `${name}.html`,
  output: {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name, tags: ['$initial' as const] }, ...files],
    },
  },
});

/** Vite builds the environment `client` first, and empties the folder. */
const client = {
  build: {
    rolldownOptions: page('app', [
      fileOf('figures', FIGURES),
      fileOf('administration', ADMINISTRATION),
      fileOf('numbers', NUMBERS),
      fileOf('inputs', INPUTS),
      fileOf('controls', CONTROLS),
    ]),
  },
};

/** The sign-in pages have files of their own: what their first one has is less than what the application has of the same packages. */
const signIn = {
  consumer: 'client' as const,
  build: {
    emptyOutDir: false,
    rolldownOptions: page('sign-in', [fileOf('shared', SHARED, 1), fileOf('codes', CODES)]),
  },
};

// Vite takes its configuration from the default export. In development, one environment has all pages, with React.
export default defineConfig(({ command }) => ({
  base: '/',
  plugins: [guides, usePreact, react(), loadFilesFirst, writeTokens, preloadFirstPart, listPackages],
  // A style sheet finds its fonts beside itself, also where the service is below a path.
  experimental: {
    renderBuiltUrl: (_file: string, { hostType }: { hostType: string }) =>
      hostType === 'css' ? { relative: true } : undefined,
  },
  // The service replaces it with a new nonce in each response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    // e2e/bundle.test.ts measures what a page loads.
    chunkSizeWarningLimit: 1000,
  },
  ...(command === 'build' && { builder: {}, environments: { client, signIn } }),
}));
