/**
 * The manifests in deploy/kubernetes: every field exists in Kubernetes, they refer to one another correctly, and they set what the
 * program reads. No cluster is needed.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { Secret, Service } from "kubernetes-types/core/v1.d.ts";
import type { Ingress, NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.d.ts";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { image, project, readProjectFile, server, textsOf } from "./support/deployment-files.ts";
import { settingNames } from "./support/setting-names.ts";

const FOLDER = "deploy/kubernetes";

const KUSTOMIZATION = "kustomization.yaml";

/** By API version and kind: the module and the name of its type. A manifest of another kind needs an entry. */
const TYPES: Readonly<Record<string, readonly [module: string, name: string]>> = {
  "apps/v1 Deployment": ["apps/v1", "Deployment"],
  "v1 Service": ["core/v1", "Service"],
  "v1 Secret": ["core/v1", "Secret"],
  "policy/v1 PodDisruptionBudget": ["policy/v1", "PodDisruptionBudget"],
  "networking.k8s.io/v1 NetworkPolicy": ["networking/v1", "NetworkPolicy"],
  "networking.k8s.io/v1 Ingress": ["networking/v1", "Ingress"],
};

type Manifest = { readonly file: string; readonly type: string; readonly content: unknown };

const Head = z.looseObject({ apiVersion: z.string(), kind: z.string() });

function readManifests(file: string): readonly Manifest[] {
  return parseAllDocuments(readProjectFile(`${FOLDER}/${file}`)).map((document) => {
    assert.deepEqual(document.errors, []);
    const content = Head.parse(document.toJS());
    return { file, type: `${content.apiVersion} ${content.kind}`, content };
  });
}

const manifests = readdirSync(join(project, FOLDER))
  .filter((file) => file !== KUSTOMIZATION)
  .flatMap(readManifests);

type Kinds = {
  readonly "apps/v1 Deployment": Deployment;
  readonly "v1 Service": Service;
  readonly "v1 Secret": Secret;
  readonly "policy/v1 PodDisruptionBudget": PodDisruptionBudget;
  readonly "networking.k8s.io/v1 NetworkPolicy": NetworkPolicy;
  readonly "networking.k8s.io/v1 Ingress": Ingress;
};

// The first test holds the contents to these types.
const all = <Type extends keyof Kinds>(type: Type): readonly Kinds[Type][] =>
  manifests.filter((each) => each.type === type).map(({ content }) => content as Kinds[Type]);
const deployments = all("apps/v1 Deployment");
const services = all("v1 Service");
const secrets = all("v1 Secret");
const budgets = all("policy/v1 PodDisruptionBudget");
const policies = all("networking.k8s.io/v1 NetworkPolicy");
const ingresses = all("networking.k8s.io/v1 Ingress");

/** The compiler refuses unknown fields, missing ones and wrong types in a literal. The types come from Kubernetes' API description. */
async function compile(
  literals: readonly { readonly type: string; readonly content: unknown }[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-kubernetes-"));
  try {
    const file = join(folder, "manifests.ts");
    const lines = literals.map(({ type, content }, index) => {
      const [module, name] = TYPES[type] ?? assert.fail(`no type for ${type}`);
      const path = join(project, "node_modules/kubernetes-types", module);
      return `export const manifest${index}: import(${JSON.stringify(path)}).${name} = ${JSON.stringify(content)};\n`;
    });
    writeFileSync(file, lines.join(""));
    const compiler = join(project, "node_modules/typescript/bin/tsc");
    const args = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
    ];
    return await promisify(execFile)(process.execPath, [compiler, ...args, file]).then(
      () => "",
      (error: { readonly stdout: string }) => error.stdout,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("every field of every manifest exists in Kubernetes and has the right type", async () => {
  assert.equal(await compile(manifests), "");
  const [deployment] = deployments;
  const wrong = [
    { ...deployment, spec: { ...deployment?.spec, replica: 2 } },
    { ...deployment, spec: { ...deployment?.spec, replicas: "2" } },
    { apiVersion: "apps/v1", kind: "Deployment", spec: { selector: {} } },
  ];
  const errors = await compile(wrong.map((content) => ({ type: "apps/v1 Deployment", content })));
  assert.deepEqual(
    [...errors.matchAll(/^\S+manifests\.ts\((\d+),\d+\): error/gm)].map(([, line]) => line),
    ["1", "2", "3"],
    errors,
  );
});

test("the kustomization lists the manifests that aren't examples, and names their image", () => {
  const [content] = parseAllDocuments(readProjectFile(`${FOLDER}/${KUSTOMIZATION}`)).map((each) =>
    each.toJS(),
  );
  const { resources, images } = z
    .strictObject({
      apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
      kind: z.literal("Kustomization"),
      namespace: z.string(),
      resources: z.array(z.string()),
      images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })),
    })
    .parse(content);
  const files = new Set(manifests.map(({ file }) => file));
  assert.deepEqual(
    resources.toSorted(),
    [...files].filter((file) => !file.endsWith(".example.yaml")).toSorted(),
  );
  const used = deployments.flatMap((each) => containersOf(each).map((container) => container.image));
  assert.deepEqual(
    [...new Set(used)],
    images.map(({ name }) => name),
  );
  assert.equal(images[0]?.name, server.image);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readProjectFile("package.json")));
  assert.equal(images[0]?.newTag, version);
});

function containersOf({ spec }: Deployment) {
  return spec?.template.spec?.containers ?? [];
}

test("server and worker are as restricted as compose's, and get the time to stop", () => {
  assert.deepEqual(
    deployments.flatMap((each) => containersOf(each).map(({ args }) => args)),
    [
      ["serve", "--no-worker"],
      ["worker", "--concurrency", "4"],
    ],
  );
  const user = Number(textsOf(image, "USER")[0]?.split(":")[0]);
  for (const deployment of deployments) {
    const pod = deployment.spec?.template.spec;
    const { runAsNonRoot, runAsUser, fsGroup, seccompProfile } = pod?.securityContext ?? {};
    assert.deepEqual(
      [runAsNonRoot, runAsUser, fsGroup, seccompProfile?.type],
      [true, user, user, "RuntimeDefault"],
    );
    assert.equal(pod?.automountServiceAccountToken, false);
    assert.ok((pod.terminationGracePeriodSeconds ?? 0) >= Number.parseInt(server.stop_grace_period, 10));
    const [container] = pod.containers;
    assert.deepEqual(container?.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: server.cap_drop },
    });
    const mounts = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath);
    assert.deepEqual(mounts, [...textsOf(image, "VOLUME"), ...server.tmpfs]);
    assert.deepEqual(
      container.volumeMounts?.map(({ name }) => name),
      pod.volumes?.map(({ name }) => name),
    );
    assert.ok(
      container.resources?.requests?.["memory"] !== undefined &&
        container.resources.limits?.["memory"] !== undefined,
    );
  }
});

test("they set only what the program reads, and the secret has what it requires", () => {
  const names = settingNames();
  const [secret] = secrets;
  const keys = Object.keys(secret?.stringData ?? {});
  assert.deepEqual(keys, ["GITHUB_APP_ID", "GITHUB_PRIVATE_KEY", "GITHUB_WEBHOOK_SECRET", "DATABASE_URL"]);
  assert.deepEqual(
    new Set(Object.values(secret?.stringData ?? {})),
    new Set([""]),
    "a secret has no place in a repository",
  );
  for (const container of deployments.flatMap(containersOf)) {
    const set = (container.env ?? []).map(({ name }) => name);
    assert.deepEqual(
      [...set, ...keys].filter((name) => !names.has(name)),
      [],
    );
    assert.deepEqual(container.envFrom, [{ secretRef: { name: secret?.metadata?.name } }]);
  }
});

test("probes, service, ingress, budgets and policies lead to the pods and the port that exist", () => {
  const [serving] = deployments;
  const [container] = containersOf(serving ?? {});
  const [port] = container?.ports ?? [];
  assert.deepEqual([String(port?.containerPort)], textsOf(image, "EXPOSE"));
  assert.equal(container?.env?.find(({ name }) => name === "PORT")?.value, String(port?.containerPort));
  for (const probe of [container?.startupProbe, container?.livenessProbe, container?.readinessProbe])
    assert.deepEqual(probe?.httpGet, { path: "/healthz", port: port?.name });
  const [service] = services;
  assert.equal(service?.spec?.ports?.[0]?.targetPort, port?.name);
  const [path] = ingresses[0]?.spec?.rules?.[0]?.http?.paths ?? [];
  assert.deepEqual(path, {
    path: "/webhooks/github",
    pathType: "Exact",
    backend: { service: { name: service?.metadata?.name, port: { name: service?.spec?.ports?.[0]?.name } } },
  });
  const labels = deployments.map((each) => each.spec?.template.metadata?.labels ?? {});
  for (const { spec } of deployments)
    assert.deepEqual(spec?.selector.matchLabels, spec?.template.metadata?.labels);
  assert.deepEqual(service?.spec?.selector, labels[0]);
  assert.deepEqual(
    budgets.map((each) => each.spec?.selector?.matchLabels),
    labels,
  );
  for (const [index, { spec }] of budgets.entries())
    assert.ok(
      Number(spec?.minAvailable) < Number(deployments[index]?.spec?.replicas),
      "a node can be drained",
    );
  const [everyPod, serverOnly] = policies;
  const name = labels[0]?.["app.kubernetes.io/name"] ?? "";
  assert.deepEqual(everyPod?.spec?.podSelector.matchLabels, { "app.kubernetes.io/name": name });
  assert.ok(labels.every((each) => each["app.kubernetes.io/name"] === name));
  assert.deepEqual(everyPod?.spec?.policyTypes, ["Ingress", "Egress"]);
  assert.equal(everyPod?.spec?.ingress, undefined, "nothing reaches a worker");
  assert.deepEqual(
    everyPod?.spec?.egress?.flatMap(({ ports = [] }) => ports.map((each) => `${each.protocol} ${each.port}`)),
    ["UDP 53", "TCP 53", "TCP 5432", "TCP 443"],
  );
  assert.deepEqual(serverOnly?.spec?.podSelector.matchLabels, labels[0]);
  assert.deepEqual(serverOnly?.spec?.ingress, [{ ports: [{ protocol: "TCP", port: port?.name }] }]);
});
