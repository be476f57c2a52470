// The page "Audit trail": what happened, newest first, with filters, live or as a file.
import { Alert, Button, Group, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { useEffect } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { readLocale } from '../../ui/format.ts';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { words } from '../../words/all.ts';
import { countFilters, type Filter, toFilters, toPeriod, useAuditView } from './audit-search.ts';
import { EntryList } from './entry-list.tsx';
import { Filters } from './filters.tsx';
import { merge, useLive } from './use-live.ts';

const SIZE = 25;

const listsKey = ['audit', 'list'];

const format = (count: number) => count.toLocaleString(readLocale());

function exportTexts() {
  const { running, of, cut, ...texts } = words.audit.export;
  return {
    ...texts,
    failed: cut,
    running: (done: number, total: number | undefined) =>
      total === undefined ? running(format(done)) : of(format(done), format(total)),
  };
}

/** The query of the export: what the filters match. */
function toExport(filter: Filter): Record<string, string> {
  const given = { ...toFilters(filter), ...toPeriod(filter, Date.now()) };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}

/** The greatest number that the service counts to. It returns no page beyond. */
const MOST = 10_000;

export function AuditPage() {
  const { view, show, narrow } = useAuditView();
  const { filter, page, beforeId, isLive } = view;
  const input = {
    ...toFilters(filter),
    ...toPeriod(filter, Date.now()),
    ...(beforeId !== undefined && { beforeId }),
    skipCount: (page - 1) * SIZE,
    maxResultCount: SIZE,
  };
  const queryKey = [...listsKey, input];
  const queries = useQueryClient();
  const entries = useQuery({
    queryKey,
    queryFn: () => latchkey.call('Audit/GetAll', input),
    placeholderData: keepPreviousData,
  });
  const { added, hasFailed } = useLive(toFilters(filter), isLive, () => void entries.refetch());
  const listed = entries.data?.items ?? [];
  const shown = isLive ? merge(added, listed) : listed;
  // Polls overlap with the list.
  const newCount = added.filter(({ id }) => listed.every((one) => one.id !== id)).length;
  const total = entries.data?.totalCount;
  // The lists that were read before lack the live entries.
  useEffect(() => {
    if (!isLive) return;
    return () => void queries.invalidateQueries({ queryKey: listsKey });
  }, [isLive, queries]);
  /** Live entries begin at the newest one. They stay until the list is read again. */
  const setLive = (isOn: boolean) => {
    if (isOn) {
      show({ filter: { ...filter, to: '' }, isLive: true, page: 1, beforeId: undefined });
      void entries.refetch();
    } else {
      const { data, isPlaceholderData } = entries;
      if (data && !isPlaceholderData) {
        queries.setQueryData(queryKey, { ...data, items: shown, totalCount: data.totalCount + newCount });
      }
      show({ isLive: false });
    }
  };
  return (
    <Page
      title={words.audit.title}
      actions={
        <Group>
          <LiveSwitch isOn={isLive} onChange={setLive} />
          <ExportMenu
            call="Audit/Export"
            query={toExport(filter)}
            fileName="audit-trail"
            total={total === undefined || total > MOST ? undefined : total}
            texts={exportTexts()}
          />
        </Group>
      }
    >
      <Filters filter={filter} onChange={narrow} />
      {entries.isPending && <Loading rows={8} />}
      {entries.error && <LoadFailure error={entries.error} retry={entries.refetch} />}
      {isLive && hasFailed && (
        <Alert color="orange" variant="light" role="status">
          {words.audit.live.failed}
        </Alert>
      )}
      {entries.data && (
        <Stack gap="sm">
          {shown.length === 0 ? (
            <Empty>{countFilters(filter) === 0 ? words.audit.none : words.audit.empty}</Empty>
          ) : (
            <EntryList entries={shown} isStale={entries.isPlaceholderData && !isLive} onNarrow={narrow} />
          )}
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed">
              {words.audit.zone(describeZone())}
            </Text>
            {isLive && (
              <Text size="xs" role="status">
                {newCount > 0 && words.audit.live.added(newCount)}
              </Text>
            )}
          </Group>
          <Pager
            page={page}
            size={SIZE}
            total={entries.data.totalCount + newCount}
            most={MOST}
            onChange={(next) => show({ page: next, isLive: false })}
          />
          {page * SIZE >= Math.min(entries.data.totalCount, MOST) && (
            <Older found={entries.data} onShow={(id) => show({ beforeId: id, page: 1, isLive: false })} />
          )}
        </Stack>
      )}
    </Page>
  );
}

/** Returns the reader's time zone: "Africa/Johannesburg (GMT+2)". */
function describeZone(): string {
  const format = new Intl.DateTimeFormat(readLocale(), { timeZoneName: 'short' });
  const short = format.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const { timeZone } = format.resolvedOptions();
  return short === timeZone ? short : `${timeZone} (${short})`;
}

function LiveSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { label, hint } = words.audit.live;
  return (
    <Tooltip label={hint}>
      <Switch
        label={label}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        styles={{ body: { alignItems: 'center' } }}
      />
    </Tooltip>
  );
}

/** The button for older entries, after the last page, if the service has not counted or searched all entries. */
function Older({ found, onShow }: { found: Calls['Audit/GetAll']['result']; onShow: (beforeId: number) => void }) {
  const { items, totalCount, searchedTo } = found;
  const beforeId = searchedTo ?? (totalCount > MOST ? items.at(-1)?.id : undefined);
  if (beforeId === undefined) return null;
  return (
    <Stack gap="xs" align="flex-start">
      {searchedTo !== null && <Text size="sm">{words.audit.stopped}</Text>}
      <Button variant="default" onClick={() => onShow(beforeId)}>
        {words.audit.older}
      </Button>
    </Stack>
  );
}
