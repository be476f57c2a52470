// Paging through a list that the service pages.
import { Group, Pagination, Text } from '@mantine/core';
import { words } from '../words/index.ts';

export function Pager(props: { page: number; size: number; total: number; onChange: (page: number) => void }) {
  const { page, size, total, onChange } = props;
  const pages = Math.max(1, Math.ceil(total / size));
  return (
    <Group justify="space-between">
      <Text size="sm" role="status">
        {words.list.total(total)}
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
