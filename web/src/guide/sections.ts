// The sections of all guides, as the search reads them. Nothing else loads this file: it has the headings of every guide.
import type { GuideSection } from './document.ts';
import { byName } from './guides.ts';

export const sections = byName(
  import.meta.glob<readonly GuideSection[]>(['../../../docs/glossary.md', '../../../docs/{guide,reference}/*.md'], {
    query: '?sections',
    import: 'default',
    eager: true,
  }),
);
