// The standard variables of OpenTelemetry that the service itself reads.
import type { Sampling } from '../tracing/open.ts';
import { EnvironmentError } from './environment-error.ts';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);

/**
 * @param read returns a variable, trimmed, or `undefined` if it is empty.
 * @returns which traces are recorded; `undefined` without the address of a collector.
 * @throws EnvironmentError
 */
export function readTracing(read: (name: string) => string | undefined): Sampling | undefined {
  const isOff = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  const named = ENDPOINTS.filter((name) => read(name) !== undefined);
  if (isOff || named.length === 0) return undefined;
  for (const name of named) {
    // The message does not quote the value, which may hold a password.
    if (!/^https?:\/\/[^/]/i.test(read(name) ?? '') || !URL.canParse(read(name) ?? '')) {
      throw new EnvironmentError(
        name,
        'must be the http or https address of a collector, such as http://localhost:4318.',
      );
    }
  }
  for (const name of PROTOCOLS) {
    const protocol = read(name);
    if (protocol === undefined || protocol === 'http/json') continue;
    throw new EnvironmentError(name, `is "${protocol}", but must be http/json, the only supported protocol.`);
  }
  return readSampling(read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on', read('OTEL_TRACES_SAMPLER_ARG') ?? '1');
}

function readSampling(sampler: string, argument: string): Sampling {
  if (!SAMPLERS.includes(sampler)) {
    const problem = `is "${sampler}", but must be one of: ${SAMPLERS.join(', ')}.`;
    throw new EnvironmentError('OTEL_TRACES_SAMPLER', problem);
  }
  const ratio = Number(argument);
  if (!/^[\d.]+$/.test(argument) || !(ratio >= 0 && ratio <= 1)) {
    throw new EnvironmentError('OTEL_TRACES_SAMPLER_ARG', `is "${argument}", but must be a number from 0 to 1.`);
  }
  const root = sampler.endsWith('ratio') ? 'ratio' : sampler.endsWith('on') ? 'on' : 'off';
  return { root, ratio, isParentBased: sampler.startsWith('parentbased_') };
}
