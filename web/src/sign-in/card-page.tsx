// A sign-in page: its heading and content in the brand of the front end, and the choice of a language.
import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useApplication } from '../ui/application.ts';
import { BrandFrame } from '../ui/brand-frame.tsx';
import { chooseLanguage, languages, nameLanguage, words } from '../words/index.ts';
import { fragment } from './fragment.ts';

/** A pointer that hovers belongs to a desktop: on a phone, a field that has the focus opens the keyboard over the page. */
const isDesktop = matchMedia('(hover: hover)').matches;

/**
 * Focuses the first empty field on a desktop when the page is shown, else the heading: a screen reader starts there.
 * @param props.language `null` on a page that holds what it cannot get again: another language loads the page again.
 */
export function CardPage(props: { title: string; children: ReactNode; language?: null }) {
  const { title, children, language = <LanguageChoice /> } = props;
  const brand = useApplication();
  const { name } = brand;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another page.
  useEffect(() => {
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const fields = [
      ...document.querySelectorAll<HTMLInputElement>('form input:not([type=checkbox], [hidden], [readonly])'),
    ];
    const first = isDesktop ? fields.find(({ value }) => value === '') : undefined;
    (first ?? heading.current)?.focus();
  }, [title]);
  return (
    <BrandFrame brand={brand} component="main" height="100dvh" language={language}>
      <Title order={1} size="h1" ref={heading} tabIndex={-1} style={{ outline: 'none', hyphens: 'auto' }}>
        {title}
      </Title>
      {children}
    </BrandFrame>
  );
}

/** The page loads again in the other language, with what a mailed link brought. */
const LanguageChoice = () => (
  <select
    className="quiet-select"
    aria-label={words.common.language}
    value={document.documentElement.lang}
    onChange={({ currentTarget }) => chooseLanguage(currentTarget.value, fragment.toString())}
  >
    {languages.map((tag) => (
      <option key={tag} value={tag} lang={tag}>
        {nameLanguage(tag)}
      </option>
    ))}
  </select>
);
