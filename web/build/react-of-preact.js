// What `react` exports to the pages: Preact, and a stand-in for the one export that Mantine imports and Preact lacks.
export * from 'preact/compat';
export { default } from 'preact/compat';

/** Fails where it is shown. Mantine shows it in parts with `keepMounted` alone, and the pages have none. */
export function Activity() {
  throw new Error('The pages have no Activity, because Preact has none. Show the part without keepMounted.');
}
