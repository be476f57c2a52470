// Which second factors are offered: read once, while the page loads, so that no button appears after the others.
import { type FactorSettings, readFactorSettings } from '../factors/settings.ts';

const none: FactorSettings = { authenticator: false, passkeys: false, trustedDeviceDays: 0 };

export const offeredFactors = readFactorSettings().catch(() => none);
