// The composition: builds the parts of the service from its capabilities.
import { createAccountAdministration } from '../account-administration/index.ts';
import type { Part, Slice } from '../slice.ts';
import { createCapabilities, type ServiceOptions } from './capabilities.ts';
import { slices } from './slices.ts';

/** A composed service, for the server, the command line and tests. */
export type Service = Awaited<ReturnType<typeof composeService>>;

/** Composes a service. It does not listen yet. */
export async function composeService(options: ServiceOptions) {
  const capabilities = await createCapabilities(options);
  const all: readonly Slice<typeof capabilities>[] = slices;
  const parts = all.map(({ create }) => {
    const part: Part = create?.(capabilities) ?? {};
    for (const method of part.methods ?? []) capabilities.secondFactors.register(method);
    return part;
  });
  const collect = <Name extends keyof Part>(name: Name) =>
    parts.flatMap((part): NonNullable<Part[Name]>[] => (part[name] === undefined ? [] : [part[name]]));
  return {
    ...capabilities,
    routes: collect('routes').flat(),
    endpoints: collect('endpoints'),
    jobs: collect('jobs').flat(),
    background: collect('background'),
    duties: collect('duty'),
    /** For the command line and the first start. */
    administration: createAccountAdministration(capabilities),
  };
}
