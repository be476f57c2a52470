// The members of a result. Those of objects within it open on demand: types may contain themselves.
import { Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Api, type Member, membersOf, type Schema } from './document.ts';
import { describeType, findObject } from './schema.ts';

type Schemas = { readonly schemas: Api['schemas'] };

export function Shape({ schema, schemas }: Schemas & { schema: Schema }) {
  const object = findObject(schema, schemas);
  return (
    <div lang="en">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describeType(schema)}
      </Text>
      {object && <Members object={object} schemas={schemas} />}
    </div>
  );
}

function Members({ object, schemas }: Schemas & { object: Schema }) {
  return (
    <Stack component="ul" gap={6} m={0} mt={6} pl="md" style={{ listStyle: 'none', overflowWrap: 'anywhere' }}>
      {membersOf(object, schemas).map((member) => (
        <li key={member.name}>
          <One member={member} schemas={schemas} />
        </li>
      ))}
    </Stack>
  );
}

function One({ member, schemas }: Schemas & { member: Member }) {
  const { name, schema, description } = member;
  const [isOpen, setOpen] = useState(false);
  const object = findObject(schema, schemas);
  return (
    <>
      <Text span size="sm">
        <Code>{name}</Code> {!object && describeType(schema)}
      </Text>
      {object && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <Text span size="sm">
              {describeType(schema)}
            </Text>
          </summary>
          {isOpen && <Members object={object} schemas={schemas} />}
        </details>
      )}
      {description !== undefined && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </>
  );
}
