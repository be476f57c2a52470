// A page of one card in the middle: the layout of the sign-in pages, with the brand of the front end.
import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useApplication } from './application.ts';
import { BrandFrame } from './brand-frame.tsx';

/** Focuses the heading when the page is shown, so that a screen reader starts there. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  const brand = useApplication();
  const { name } = brand;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${name}`;
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus();
  }, [title, name]);
  return (
    <BrandFrame brand={brand} component="main" height="100dvh">
      <Title order={1} size="h3" ta="center" ref={heading} tabIndex={-1} style={{ outline: 'none', hyphens: 'auto' }}>
        {title}
      </Title>
      {children}
    </BrandFrame>
  );
}
