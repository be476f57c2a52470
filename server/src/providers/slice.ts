// The endpoints and errors of external providers.
import { externalErrors } from './errors.ts';
import type { Providers } from './providers.ts';
import { providerRoutes } from './routes.ts';

export const providerDefinitions = { errors: [externalErrors] };

export const createProviderSlice = ({ providers }: { providers: Providers }) => ({ routes: providerRoutes(providers) });
