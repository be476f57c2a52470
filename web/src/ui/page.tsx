// A page of the application: its heading, and its states while loading, after a failure and without entries.
import { Alert, Anchor, Breadcrumbs, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { isLatchkeyError } from 'latchkey-sdk';
import { BookOpen, ChevronRight } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { Link, useLocation } from 'react-router';
import { words } from '../words/index.ts';
import { useApplication } from './application.ts';
import { describeDuration } from './format.ts';
import { Boundary, PartFailure } from './part.ts';
import { describeProblem } from './problem.ts';
import { useCountdown } from './problem-notice.tsx';
import { useRecovery } from './recovery.ts';

/** A page above the present one. */
export type Ancestor = { readonly path: string; readonly label: string };

/** The guide of the pages of a section. */
export const GuideContext = createContext<string | undefined>(undefined);

/**
 * Focuses the heading when the page is shown, so that a screen reader starts there.
 * @param props.trail the pages above this one, the highest first.
 * @param props.guide the guide of this page, such as `roles#names`. The default is the guide of its section.
 * @param props.heading the title with its marks, if it has some.
 * @param props.note a line below the title.
 * @param props.language the language of the title, if it is not the reader's.
 */
export function Page(props: {
  title: string;
  heading?: ReactNode;
  trail?: readonly Ancestor[];
  guide?: string;
  note?: ReactNode;
  language?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { title, heading: shownTitle = title, trail = [], note, language, actions, children } = props;
  const sectionGuide = useContext(GuideContext);
  const { guide = sectionGuide } = props;
  const { name } = useApplication();
  const { pathname } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  // In the moment in which the page shows: a screen reader reads the title of the document first.
  useLayoutEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  // Not with the title: another administrator may change a name while the reader types.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page.
  useEffect(() => heading.current?.focus(), [pathname]);
  return (
    <Stack gap="lg" className="page">
      {trail.length > 0 && <Trail ancestors={trail} />}
      {/* As high as a button, so that titles of pages without one stand at the same height. */}
      <Group justify="space-between" align="center" mih={36}>
        <Group gap="md" align="center" maw="100%" style={{ rowGap: 4 }}>
          <Title
            order={1}
            size="h2"
            ref={heading}
            tabIndex={-1}
            maw="100%"
            style={{ outline: 'none', overflowWrap: 'anywhere' }}
            {...(language !== undefined && { lang: language })}
          >
            {shownTitle}
          </Title>
          {note}
          {guide !== undefined && <GuideLink guide={guide} />}
        </Group>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

function GuideLink({ guide }: { guide: string }) {
  return (
    <Anchor component={Link} to={`/guide/${guide}`} className="thumb" size="xs" c="dimmed">
      <Group component="span" gap={4} wrap="nowrap">
        <BookOpen size={14} strokeWidth={1.75} aria-hidden />
        {words.guide.open}
      </Group>
    </Anchor>
  );
}

function Trail({ ancestors }: { ancestors: readonly Ancestor[] }) {
  return (
    <Breadcrumbs
      component="nav"
      aria-label={words.shell.trail}
      separator={<ChevronRight size={14} aria-hidden />}
      separatorMargin={4}
      mb={-8}
    >
      {ancestors.map(({ path, label }) => (
        <Anchor key={path} component={Link} to={path} className="thumb" size="xs" fw={500}>
          {label}
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}

/** The placeholder while content loads, with a text for screen readers. */
export function Loading({ rows = 4 }: { rows?: number }) {
  const isStill = useReducedMotion(undefined, { getInitialValueInEffect: false });
  return (
    <Stack gap="sm" role="status" aria-label={words.common.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike.
        <Skeleton key={row} height={44} animate={!isStill} />
      ))}
    </Stack>
  );
}

/** The placeholder while a page loads: a heading and rows. */
export function PageLoading() {
  return (
    <Stack gap="lg">
      <Skeleton height={36} w={220} maw="60%" animate={false} />
      <Loading rows={6} />
    </Stack>
  );
}

/** Whether the same call may succeed later. A refusal stays a refusal. */
const mayPass = (error: unknown) => !isLatchkeyError(error) || error.status < 400 || error.status >= 429;

/**
 * An error while loading, with a button to retry. After an outage it retries by itself.
 * @param props.mayReload whether the page may be reloaded after an upgrade: it holds nothing that was typed.
 */
export function LoadFailure(props: { error: unknown; retry: () => void; mayReload?: boolean }) {
  const { error, retry, mayReload = true } = props;
  // Describe each failure once: the waiting time counts from then.
  const { message, retryAt, traceId } = useMemo(() => describeProblem(error), [error]);
  const seconds = useCountdown(retryAt);
  const isLost = useRecovery(seconds > 0 ? undefined : error, retry, mayReload);
  const isPart = error instanceof PartFailure;
  return (
    <Alert color="red" variant="light" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{isLost && isPart ? words.common.unreachable : message}</Text>
        {isLost && <Text size="sm">{words.common.recovers}</Text>}
        {traceId && <Text size="xs">{words.common.traceId(traceId)}</Text>}
        {seconds > 0 && (
          <Text size="sm" aria-hidden>
            {words.common.wait(describeDuration(seconds))}
          </Text>
        )}
        {mayPass(error) && (
          <Button
            size="xs"
            variant="default"
            onClick={isPart && mayReload ? () => location.reload() : retry}
            disabled={seconds > 0}
          >
            {words.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** What loads when it is shown: meanwhile `waiting`, and if it cannot be loaded, the reason in its place. */
export function LazyArea({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  return (
    <Boundary fallback={(error, retry) => <LoadFailure error={error} retry={retry} />}>
      <Suspense fallback={waiting}>{children}</Suspense>
    </Boundary>
  );
}

/** The text in place of an empty list. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <Text className="empty" c="dimmed" ta="center" py="xl">
      {children}
    </Text>
  );
}
