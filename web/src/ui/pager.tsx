// Paging through a list of the service.
import { Group, NativeSelect, Pagination, Text } from '@mantine/core';
import { words } from '../words/index.ts';

/** How many entries a page may have. The first is the default. */
export const pageSizes = [25, 50, 100] as const;

/** @param props.most the greatest number that the service counts to. It returns no page beyond; `total` may be greater. */
export function Pager(props: {
  page: number;
  size: number;
  total: number;
  most?: number;
  /** Returns the number of entries in words. */
  describe?: (total: number) => string;
  onChange: (page: number) => void;
  /** Absent: the size is fixed. */
  onSize?: (size: number) => void;
}) {
  const { page, size, total, most = Number.POSITIVE_INFINITY, describe = words.list.total, onChange, onSize } = props;
  const pages = Math.max(1, Math.ceil(Math.min(total, most) / size));
  return (
    <Group justify="space-between">
      <Text size="xs" c="dimmed" role="status">
        {total > most ? words.list.moreThan(most) : describe(total)}
      </Text>
      <Group gap="md">
        {onSize && total > pageSizes[0] && (
          <NativeSelect
            aria-label={words.list.size}
            data={pageSizes.map((one) => ({ value: String(one), label: words.list.rows(one) }))}
            value={String(size)}
            onChange={({ currentTarget }) => onSize(Number(currentTarget.value))}
          />
        )}
        {(pages > 1 || page > pages) && (
          <Pagination
            value={page}
            total={pages}
            onChange={onChange}
            getControlProps={(control) => ({ 'aria-label': words.list[control] })}
            getItemProps={(item) => ({ 'aria-label': words.list.page(item) })}
          />
        )}
      </Group>
    </Group>
  );
}
