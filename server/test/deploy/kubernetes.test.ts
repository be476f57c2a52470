// deploy/kubernetes: the manifests are of the types of the Kubernetes API, fit together, and restrict the pods.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Service } from 'kubernetes-types/core/v1.d.ts';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { parse } from 'yaml';
import { VERSION } from '../../src/config/version.ts';
import { assertKnown, readDeployFile, readTemplate } from '../support/deployment.ts';
import { assertWellTyped, root } from '../support/guide.ts';
import { startProcess } from '../support/process.ts';

type Kustomization = { resources: string[]; namespace: string; images: { name: string; newTag: string }[] };

/** Parses as Kubernetes does: a key stands once, and a file holds one object. */
const read = <Kind>(name: string): Kind => parse(readDeployFile(`kubernetes/${name}.yaml`), { uniqueKeys: true });

const kustomization = read<Kustomization>('kustomization');
const deployment = read<Deployment>('deployment');
const { spec } = deployment;
const pod = spec?.template.spec;
const [container] = pod?.containers ?? [];

const typed = {
  Deployment: 'apps/v1',
  Service: 'core/v1',
  Ingress: 'networking/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
};

describe('the manifests for Kubernetes', () => {
  it('have the types of the API: no unknown field, no missing one', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-manifests-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const objects = kustomization.resources.map((file) =>
      read<{ kind: keyof typeof typed }>(file.replace('.yaml', '')),
    );
    assert.deepEqual(objects.map(({ kind }) => kind).sort(), Object.keys(typed).sort());
    const lines = objects.flatMap((object) => [
      `import type { ${object.kind} } from 'kubernetes-types/${typed[object.kind]}';`,
      `(${JSON.stringify(object)}) satisfies ${object.kind};`,
    ]);
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    await assertWellTyped(folder, ['manifests.ts'], ['kubernetes-types']);
  });

  it('are all applied, with the version of this release', () => {
    const files = readdirSync(join(root, 'deploy/kubernetes')).filter((file) => file !== 'kustomization.yaml');
    assert.deepEqual(kustomization.resources.toSorted(), files.toSorted());
    assert.deepEqual(
      kustomization.images.map(({ name, newTag }) => [name, newTag]),
      [[container?.image, VERSION]],
    );
  });

  it('select the pods of the deployment', () => {
    const labels = spec?.template.metadata?.labels;
    assert.deepEqual(labels, { 'app.kubernetes.io/name': 'latchkey' });
    const selectors = [
      spec?.selector.matchLabels,
      pod?.topologySpreadConstraints?.[0]?.labelSelector?.matchLabels,
      read<Service>('service').spec?.selector,
      read<PodDisruptionBudget>('pod-disruption-budget').spec?.selector?.matchLabels,
      read<NetworkPolicy>('network-policy').spec?.podSelector.matchLabels,
    ];
    for (const selector of selectors) assert.deepEqual(selector, labels);
  });

  it('lead requests from the ingress to the port of the service', () => {
    const { backend } = read<Ingress>('ingress').spec?.rules?.[0]?.http?.paths[0] ?? {};
    const service = read<Service>('service');
    assert.deepEqual(backend?.service, { name: service.metadata?.name, port: { name: 'http' } });
    assert.equal(service.spec?.ports?.[0]?.targetPort, container?.ports?.[0]?.name);
    const port = String(container?.ports?.[0]?.containerPort);
    assert.equal(container?.env?.find(({ name }) => name === 'LATCHKEY_PORT')?.value, port);
  });

  it('meet the restricted pod security standard', () => {
    const { runAsUser, runAsNonRoot, seccompProfile } = pod?.securityContext ?? {};
    assert.deepEqual([runAsUser, runAsNonRoot, seccompProfile], [10001, true, { type: 'RuntimeDefault' }]);
    assert.deepEqual(container?.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.equal(pod?.automountServiceAccountToken, false);
    assert.deepEqual(pod?.volumes?.flatMap(Object.keys), ['name', 'emptyDir']);
  });

  it('give the service variables that it knows, and no database of its own to a pod', () => {
    assertKnown([...Object.keys(readTemplate()), ...(container?.env ?? []).map(({ name }) => name)]);
    assert.deepEqual(
      container?.env?.find(({ name }) => name === 'LATCHKEY_DATABASE_URL')?.valueFrom?.secretKeyRef,
      { name: 'latchkey', key: 'LATCHKEY_DATABASE_URL' },
      'the key is not optional',
    );
    // A Service named latchkey sets LATCHKEY_PORT=tcp://… in each pod of its namespace.
    assert.equal(pod?.enableServiceLinks, false);
  });

  it('stop a node of the old version when a new one is ready', () => {
    assert.deepEqual(spec?.strategy, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
    assert.ok((spec?.replicas ?? 0) >= 2);
  });

  it('leave a stopping pod the time to answer its requests', () => {
    const delay = container?.lifecycle?.preStop?.sleep?.seconds ?? Number.NaN;
    assert.ok((pod?.terminationGracePeriodSeconds ?? 0) >= delay + 10 + 5);
  });

  it('probe paths that the service answers', async (context) => {
    const { startupProbe, livenessProbe, readinessProbe } = container ?? {};
    const service = await startProcess();
    context.after(() => service.stop());
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      const { path = '', port } = probe?.httpGet ?? {};
      assert.equal(port, container?.ports?.[0]?.name);
      assert.equal((await fetch(`${service.url}${path}`)).status, 200, path);
    }
    assert.equal(livenessProbe?.httpGet?.path, '/health/live', 'an unreachable database must not restart pods');
  });

  it('admit the ingress controller alone, and let out what the service needs', () => {
    const { policyTypes, ingress, egress } = read<NetworkPolicy>('network-policy').spec ?? {};
    assert.deepEqual(policyTypes, ['Ingress', 'Egress']);
    assert.equal(ingress?.length, 1);
    assert.equal(ingress?.[0]?.from?.length, 1);
    assert.deepEqual(ingress?.[0]?.ports, [{ port: 'http', protocol: 'TCP' }]);
    const out = egress?.flatMap(({ ports = [] }) => ports.map(({ port, protocol }) => `${protocol} ${port}`));
    assert.deepEqual(out, ['UDP 53', 'TCP 53', 'TCP 5432', 'TCP 465', 'TCP 587', 'TCP 443']);
  });
});

describe('the guide to Kubernetes', () => {
  const guide = readFileSync(join(root, 'docs/guide/deploy-kubernetes.md'), 'utf8');
  const [, manifest = '', after = ''] = /^cat <<'EOF' \|[^\n]*\n(.*?)^EOF\n(.*?)^```/ms.exec(guide) ?? [];

  it('waits until the pod of a command has succeeded, and deletes it only then', () => {
    const { metadata } = parse(manifest);
    const steps = after.trim().split(/ &&\n */);
    assert.equal(after.trim().split('\n').length, steps.length, 'each step needs the one before');
    const [wait = '', logs, last] = steps;
    assert.match(
      wait,
      /^kubectl -n latchkey wait --for=jsonpath='\{\.status\.phase\}'=Succeeded pod\/\S+ --timeout=\d+m$/,
    );
    assert.ok(wait.includes(` pod/${metadata.name} `));
    assert.equal(logs, `kubectl -n latchkey logs ${metadata.name}`);
    assert.equal(last, `kubectl -n latchkey delete pod ${metadata.name}`);
  });

  it('gives the pod of a command the restrictions of the nodes, and not their label', () => {
    const { metadata, spec: own } = parse(manifest);
    assert.equal(metadata.labels, undefined);
    assert.equal(own.restartPolicy, 'Never');
    assert.deepEqual(own.containers[0].securityContext, container?.securityContext);
  });
});
