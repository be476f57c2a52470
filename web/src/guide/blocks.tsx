// Shows the content of a guide.
import { Anchor, Blockquote, Code, List, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { at } from '../api/base-path.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Records } from '../ui/records.tsx';
import { type Block, type Inline, plainText } from './document.ts';

/** The content never changes: places in it are keys. */
type Numbered<Value> = { readonly key: string; readonly value: Value };

const numbered = <Value,>(values: readonly Value[]): Numbered<Value>[] =>
  values.map((value, index) => ({ key: String(index), value }));

export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <Stack gap="md">
      {numbered(blocks).map(({ key, value: block }) => (
        <One key={key} block={block} />
      ))}
    </Stack>
  );
}

function One({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <Heading {...block} />;
    case 'paragraph':
      return (
        <Text component="p" size="md" m={0} style={{ overflowWrap: 'anywhere' }}>
          <Line content={block.content} />
        </Text>
      );
    case 'code':
      return <CodeBlock text={block.text} />;
    case 'quote':
      return (
        <Blockquote p="md">
          <Blocks blocks={block.content} />
        </Blockquote>
      );
    case 'list':
      return <Items {...block} />;
    case 'table':
      return <Rows {...block} />;
  }
}

function Heading({ level, id, content }: Extract<Block, { kind: 'heading' }>) {
  const order = level === 2 ? 2 : level === 3 ? 3 : 4;
  return (
    <Title
      order={order}
      size={`h${order + 1}`}
      id={id}
      tabIndex={-1}
      mt="sm"
      style={{ outline: 'none', overflowWrap: 'anywhere' }}
    >
      <Line content={content} />
    </Title>
  );
}

function Items({ start, items }: Extract<Block, { kind: 'list' }>) {
  return (
    <List
      type={start === null ? 'unordered' : 'ordered'}
      {...(start !== null && { start })}
      spacing={6}
      styles={{ itemWrapper: { display: 'inline' }, root: { overflowWrap: 'anywhere' } }}
    >
      {numbered(items).map(({ key, value: blocks }) => (
        <List.Item key={key}>
          <Item blocks={blocks} />
        </List.Item>
      ))}
    </List>
  );
}

/** The first line of an item stands beside its mark. */
function Item({ blocks: [first, ...rest] }: { blocks: readonly Block[] }) {
  if (first?.kind !== 'paragraph') return first && <Blocks blocks={[first, ...rest]} />;
  return (
    <>
      <Line content={first.content} />
      {rest.length > 0 && <Blocks blocks={rest} />}
    </>
  );
}

/** The narrowest and widest share of a table that a column gets, and the space around a value, in characters. */
const [NARROWEST, WIDEST, AROUND] = [8, 60, 5];

function Rows({ head, rows }: Extract<Block, { kind: 'table' }>) {
  const lengths = head.map((title, index) => {
    const longest = Math.max(...[title, ...rows.map((row) => row[index] ?? [])].map((cell) => plainText(cell).length));
    return Math.min(WIDEST, Math.max(NARROWEST, longest)) + AROUND;
  });
  const all = lengths.reduce((sum, length) => sum + length, 0);
  return (
    <Records<Numbered<Extract<Block, { kind: 'table' }>['rows'][number]>>
      label={head.map(plainText).join(', ')}
      columns={head.map((title, index) => ({
        key: String(index),
        label: plainText(title),
        width: Math.round(((lengths[index] ?? 0) / all) * 100),
        isLead: index === 0,
        cell: ({ value: row }) => <Line content={row[index] ?? []} />,
      }))}
      records={numbered(rows)}
      keyOf={({ key }) => key}
    />
  );
}

function Line({ content }: { content: readonly Inline[] }) {
  return numbered(content).map(({ key, value: one }) => <Piece key={key} piece={one} />);
}

/** The colour of links is legible on the background of the page, not on that of code (WCAG 2.2, 1.4.3). */
const plainCode = { '--code': 'transparent' };

function Piece({ piece }: { piece: Inline }) {
  if (typeof piece === 'string') return piece;
  switch (piece.kind) {
    case 'break':
      return <br />;
    case 'code':
      return (
        <Code bg="var(--code, var(--sunken))" style={{ overflowWrap: 'anywhere' }}>
          {piece.text}
        </Code>
      );
    case 'strong':
      return (
        <strong>
          <Line content={piece.content} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Line content={piece.content} />
        </em>
      );
    case 'link':
      return <GuideLink {...piece} />;
    case 'image':
      return <img src={at(piece.source)} alt={piece.description} style={{ maxWidth: '100%' }} />;
  }
}

function GuideLink({ to, content }: Extract<Inline, { kind: 'link' }>) {
  const text = <Line content={content} />;
  if (to.startsWith('/guide/')) {
    return (
      <Anchor component={Link} to={to} underline="always" style={plainCode}>
        {text}
      </Anchor>
    );
  }
  const isOutside = /^https?:/.test(to);
  const isFile = to.startsWith('/');
  return (
    <Anchor
      href={isFile ? at(to) : to}
      underline="always"
      style={plainCode}
      {...(isOutside && { rel: 'noreferrer' })}
      {...(isFile && { download: true })}
    >
      {text}
    </Anchor>
  );
}
