// Paging through a list of the service.
import { Group, Pagination, Text } from '@mantine/core';
import { words } from '../words/index.ts';

/** @param props.most the greatest number that the service counts to. It returns no page beyond; `total` may be greater. */
export function Pager(props: {
  page: number;
  size: number;
  total: number;
  most?: number;
  /** Returns the number of entries in words. */
  describe?: (total: number) => string;
  onChange: (page: number) => void;
}) {
  const { page, size, total, most = Number.POSITIVE_INFINITY, describe = words.list.total, onChange } = props;
  const pages = Math.max(1, Math.ceil(Math.min(total, most) / size));
  return (
    <Group justify="space-between">
      <Text size="sm" role="status">
        {total > most ? words.list.moreThan(most) : describe(total)}
      </Text>
      {pages > 1 && (
        <Pagination
          value={page}
          total={pages}
          onChange={onChange}
          getControlProps={(control) => ({ 'aria-label': words.list[control] })}
          getItemProps={(item) => ({ 'aria-label': words.list.page(item) })}
        />
      )}
    </Group>
  );
}
