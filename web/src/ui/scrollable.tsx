// Content that may be wider than its place: it scrolls by itself, also by keyboard.
import { Box, type BoxProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Takes the focus only while there is something to scroll to. */
export function Scrollable({ label, children, ...box }: BoxProps & { label: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const measure = () =>
      setWide(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return (
    <Box
      ref={place}
      role="group"
      aria-label={label}
      {...box}
      style={{ overflow: 'auto' }}
      // The arrow keys scroll it (WCAG 2.2, 2.1.1).
      {...(isWide && { tabIndex: 0 })}
    >
      {children}
    </Box>
  );
}
