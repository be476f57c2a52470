// Parts of the pages that load when they are shown. One may fail: the connection is lost, or an upgrade has replaced its file.
import { Component, type ComponentType, createElement, lazy, type ReactNode } from 'react';

/** A part could not be loaded. */
export class PartFailure extends Error {
  /** Lets the next showing load the part again. */
  readonly forget: () => void;
  constructor(cause: unknown, forget: () => void) {
    super('A part of this page could not be loaded.', { cause });
    this.forget = forget;
  }
}

/** Loads a part. @throws PartFailure */
export const loadPart = <Part>(load: () => Promise<Part>, forget = () => {}): Promise<Part> =>
  load().catch((cause) => {
    throw new PartFailure(cause, forget);
  });

/** A component that loads when it is shown for the first time. `start` loads it before; a failure shows when it is shown. */
export type Part<Props extends object> = ComponentType<Props> & { readonly start: () => void };

/** Returns the component that `load` finds. It throws `PartFailure` if it cannot be loaded. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  const begin = () => lazy(() => loadPart(async () => ({ default: await load() }), forget));
  let part: ComponentType<Props> = begin();
  const forget = () => {
    part = begin();
  };
  const start = () => void load().catch(() => {});
  return Object.assign((props: Props) => createElement(part, props), { start });
}

type Failed = { readonly error: unknown } | undefined;

type BoundaryProps = {
  /** Another place gets another try. */
  readonly place?: string;
  readonly fallback: (error: unknown, retry: () => void) => ReactNode;
  readonly children: ReactNode;
};

/** Shows the fallback in place of children that fail. Only a class can do this. */
export class Boundary extends Component<BoundaryProps, { failed: Failed }> {
  override state: { failed: Failed } = { failed: undefined };
  static getDerivedStateFromError = (error: unknown) => ({ failed: { error } });
  readonly retry = () => this.setState({ failed: undefined });
  override componentDidCatch(error: unknown) {
    // Not before: a part that is not shown any more would load again and again.
    if (error instanceof PartFailure) error.forget();
    // Preact reports no error that is caught. A page says itself that a part could not be loaded.
    else console.error(error);
  }
  override componentDidUpdate(before: BoundaryProps) {
    if (before.place !== this.props.place && this.state.failed) this.retry();
  }
  override render() {
    const { failed } = this.state;
    return failed ? this.props.fallback(failed.error, this.retry) : this.props.children;
  }
}
