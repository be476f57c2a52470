// The name of a call, which wraps between its words on a narrow screen.
import { Fragment } from 'react';

export function CallName({ name }: { name: string }) {
  const parts = name.split(/(?<=\/)|(?<=[a-z])(?=[A-Z])/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
