// Assertions about answers.
import assert from 'node:assert/strict';
import type { TestAnswer } from './service.ts';

/** Asserts that the answer is a refusal with this reason. @param hint printed on failure: what was sent. */
export function assertRefused(answer: TestAnswer, status: number, reason: string, hint?: unknown) {
  assert.deepEqual([answer.status, answer.error?.reason], [status, reason], JSON.stringify(hint) ?? answer.text);
}

/** The members that tests read from the result of any call. */
export function readResult({ result }: TestAnswer) {
  return result as { accessToken?: string; operationId?: string; isSuccess?: boolean } | null | undefined;
}

/** Asserts what holds for every API answer: an envelope, nothing of the service's internals, and `no-store`. */
export function assertEnvelope({ status, body, text, headers }: TestAnswer) {
  assert.ok(status < 500, text);
  assert.deepEqual(Object.keys(body), ['result', 'targetUrl', 'success', 'error', 'unAuthorizedRequest', '__abp']);
  assert.equal(body.success, status === 200);
  if (status !== 200) {
    assert.equal(body.error.code, status);
    assert.ok(body.error.reason && body.error.message && body.error.details && body.error.traceId, text);
  }
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.doesNotMatch(text, /node_modules|select |insert |\.ts:\d|at Object\./i);
}
