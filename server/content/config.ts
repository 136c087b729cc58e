// Start configuration of the content service; the only file of it that reads the environment.

import { isIP } from "node:net";
import { resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isLoopback } from "../platform/http/machine-addresses.ts";
import { tlsComplaint } from "../platform/http/tls-options.ts";
import {
  flagLines,
  readStart,
  type Environment,
  type Reading,
  type Source,
} from "../platform/process/start-flags.ts";
import { mailLanguages } from "./alerts/mail-language.ts";
import { readStorageAddress } from "./files/storage-address.ts";
import { readRolesOfClaims } from "./people/openid/roles-of-claims.ts";
import { isProviderAddress } from "./people/openid/provider-address.ts";
import {
  traceFields,
  traceSettings,
  traceSources,
} from "./traces/trace-settings.ts";

const path = z
  .string()
  .min(1)
  .transform((given) => resolve(given));

const integer = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const yes = z.stringbool({
  truthy: ["1", "true", "yes"],
  falsy: ["0", "false", "no"],
});

/** Its credentials come from the environment of Amazon's tools. */
const storage = z
  .string()
  .transform(readStorageAddress)
  .refine((address) => address !== null)
  .optional();

const fields = {
  dataDir: path,
  // Next to the player's 8080, so that both run on one machine.
  port: integer.refine((port) => port <= 65535).default(8090),
  // Loopback by default; any other address takes TLS or a proxy.
  host: z
    .string()
    .refine(
      (host) =>
        isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host),
    )
    .default("127.0.0.1"),
  databaseUrl: z
    .string()
    .refine((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url))
    .optional(),
  // A default PostgreSQL allows a hundred for all instances together; each instance also opens as many again for long
  // lists.
  databaseConnections: integer
    .refine((count) => count > 0 && count <= 1000)
    .default(10),
  readDatabaseUrl: z
    .string()
    .refine((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url))
    .optional(),
  // Further behind, the primary answers (V4-400).
  readMaxLagSeconds: integer
    .refine((seconds) => seconds > 0 && seconds <= 3600)
    .default(5),
  storage,
  previousStorage: storage,
  cdnUrl: z
    .string()
    .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url))
    .refine((url) => !/[?#]/.test(url))
    .transform((url) => url.replace(/(?<!\/)\/+$/, ""))
    .optional(),
  cdnKeyPair: z
    .string()
    .regex(/^[A-Z0-9]{1,64}$/)
    .optional(),
  cdnKeyFile: path.optional(),
  // Characters that can follow a scheme in an Authorization header.
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .optional(),
  allowPrivateSources: yes.default(false),
  tlsCert: path.optional(),
  tlsKey: path.optional(),
  behindProxy: yes.default(false),
  noDiscovery: yes.default(false),
  // Where what the program prints is kept in a log.
  noFirstKey: yes.default(false),
  publicUrl: z
    .string()
    .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url))
    .transform((url) => url.replace(/(?<!\/)\/+$/, ""))
    .optional(),
  // Larger than any clip shown on a screen; the disk fills up before that.
  maxFileMb: integer.refine((megabytes) => megabytes > 0).default(16_384),
  // A worker that died is replaced after this long.
  leaseMs: integer.refine((ms) => ms >= 300).default(15_000),
  // Four heartbeats: a restarting router raises no alarm.
  offlineAfterMs: integer.refine((ms) => ms >= 200).default(120_000),
  // Of each screen, if it has changed; 0 turns it off (L-69).
  screenshotMinutes: integer.refine((minutes) => minutes <= 1440).default(5),
  // No external geocoder is contacted unless the operator configures one.
  geocoderUrl: z
    .string()
    .refine(
      (url) =>
        /^https?:\/\//.test(url) && URL.canParse(url.replace(/[{}]/g, "")),
    )
    .refine((url) => url.includes("{query}"))
    .optional(),
  oauthTokens: path.optional(),
  // Without a mail server alerts are sent to webhooks only.
  smtpUrl: z
    .string()
    .refine((url) => /^smtps?:\/\/[^/]/.test(url) && URL.canParse(url))
    .optional(),
  smtpFrom: z
    .string()
    .max(500)
    .refine((from) => /^[^@\r\n]*[^@\s<]@[^@\s>]+>?$/.test(from))
    .optional(),
  // Accounts have no language of their own, and addresses that receive alerts have no account (V4-415).
  language: z.enum(mailLanguages).default("en"),
  // A provider of OpenID Connect, where people sign in with an account that they have elsewhere (V3-206).
  oidcIssuer: z
    .string()
    .refine((url) => URL.canParse(url) && isProviderAddress(new URL(url)))
    .optional(),
  oidcClientId: z.string().max(500).optional(),
  // In the environment or a file; a flag would be visible in the process list.
  oidcClientSecret: z.string().max(1000).optional(),
  oidcClientSecretFile: path.optional(),
  oidcLabel: z.string().max(60).optional(),
  oidcRoles: z
    .string()
    .transform(readRolesOfClaims)
    .refine((rolesOfClaims) => rolesOfClaims !== null)
    .optional(),
  // Encrypts the secrets of edge apps; a flag would be visible in the process list.
  secretsKey: z.string().min(32).max(1000).optional(),
  secretsKeyFile: path.optional(),
  // Daily backups of SQLite: one week.
  backupsKept: integer.refine((count) => count <= 366).default(7),
  // An update deletes nothing by itself. Players that were offline send playbacks that are weeks old.
  playbackDaysKept: integer
    .refine((days) => days === 0 || (days >= 31 && days <= 36_500))
    .default(0),
  // Files that no row needs are deleted once they are older than this.
  sweepAfterMs: integer.default(3_600_000),
  ...traceFields,
};

export type ContentConfig = Readonly<z.output<z.ZodObject<typeof fields>>>;

const sources: Readonly<Record<keyof typeof fields, Source>> = {
  dataDir: {
    flag: "--data-dir",
    value: "DIR",
    env: "VITRINE_CONTENT_DATA_DIR",
    expected:
      "the folder for the service's files and, without PostgreSQL, its database",
    help: "Folder for files and, without PostgreSQL, the database. Required",
  },
  port: {
    flag: "--port",
    value: "N",
    env: "VITRINE_CONTENT_PORT",
    expected: "a port number from 1 to 65535, or 0 for any free one",
    help: "Port to listen on. Default: 8090",
  },
  host: {
    flag: "--host",
    value: "HOST",
    env: "VITRINE_CONTENT_HOST",
    expected: "an address or host name of this PC",
    help: "Address to listen on. Default: 127.0.0.1; any other needs TLS or --behind-proxy",
  },
  databaseUrl: {
    flag: "--database-url",
    value: "postgres://…",
    env: "VITRINE_CONTENT_DATABASE_URL",
    expected: "the address of a PostgreSQL database",
    isSecret: true,
    help: "PostgreSQL database to use instead of SQLite",
  },
  databaseConnections: {
    flag: "--database-connections",
    value: "N",
    env: "VITRINE_CONTENT_DATABASE_CONNECTIONS",
    expected: "the maximum number of PostgreSQL connections, 1 to 1000",
    help: "Maximum number of PostgreSQL connections. Default: 10",
  },
  readDatabaseUrl: {
    flag: "--read-database-url",
    value: "postgres://…",
    env: "VITRINE_CONTENT_READ_DATABASE_URL",
    expected: "the address of a read replica of the PostgreSQL database",
    isSecret: true,
    help: "Read replica of the PostgreSQL database, for lists and reports",
  },
  readMaxLagSeconds: {
    flag: "--read-max-lag-seconds",
    value: "N",
    env: "VITRINE_CONTENT_READ_MAX_LAG_SECONDS",
    expected: "how far the read replica may be behind, 1 to 3600 seconds",
    help: "How far the read replica may be behind, in seconds. Default: 5",
  },
  storage: {
    flag: "--storage",
    value: "s3://…",
    env: "VITRINE_CONTENT_STORAGE",
    expected:
      "a bucket for the files, such as s3://bucket/folder?endpoint=https://storage.example.org&region=eu-west-1",
    help: "Bucket for the files, instead of the data folder",
  },
  previousStorage: {
    flag: "--previous-storage",
    value: "s3://…",
    env: "VITRINE_CONTENT_PREVIOUS_STORAGE",
    expected: "the bucket to move files from",
    help: "Bucket to move files from",
  },
  cdnUrl: {
    flag: "--cdn-url",
    value: "URL",
    env: "VITRINE_CONTENT_CDN_URL",
    expected: "an http or https address that serves the bucket's objects",
    help: "CDN in front of the bucket",
  },
  cdnKeyPair: {
    flag: "--cdn-key-pair",
    value: "ID",
    env: "VITRINE_CONTENT_CDN_KEY_PAIR",
    expected: "the ID of a CloudFront public key",
    help: "ID of the public key that CloudFront checks addresses with",
  },
  cdnKeyFile: {
    flag: "--cdn-key-file",
    value: "FILE",
    env: "VITRINE_CONTENT_CDN_KEY_FILE",
    expected: "a PEM file with the RSA private key of that public key",
    help: "PEM file with the private key that signs addresses for CloudFront",
  },
  apiKey: {
    flag: "--api-key",
    value: "KEY",
    env: "VITRINE_CONTENT_API_KEY",
    expected: "1 to 200 letters, digits and symbols, without spaces",
    isSecret: true,
    help: "API key of your choice. Other users of this PC can see it; the variable is safer",
  },
  allowPrivateSources: {
    flag: "--allow-private-sources",
    env: "VITRINE_CONTENT_ALLOW_PRIVATE_SOURCES",
    expected: "1 or 0",
    help: "Allow assets and webhooks at private addresses",
  },
  tlsCert: {
    flag: "--tls-cert",
    value: "FILE",
    env: "VITRINE_CONTENT_TLS_CERT",
    expected: "a PEM file with the certificate",
    help: "PEM file with the certificate, to serve HTTPS",
  },
  tlsKey: {
    flag: "--tls-key",
    value: "FILE",
    env: "VITRINE_CONTENT_TLS_KEY",
    expected: "a PEM file with the certificate's private key",
    help: "PEM file with the private key of the certificate",
  },
  behindProxy: {
    flag: "--behind-proxy",
    env: "VITRINE_CONTENT_BEHIND_PROXY",
    expected: "1 or 0",
    help: "Trust the headers of a reverse proxy that provides TLS",
  },
  publicUrl: {
    flag: "--public-url",
    value: "URL",
    env: "VITRINE_CONTENT_PUBLIC_URL",
    expected: "the address at which clients reach the service",
    help: "Address at which clients reach the service, for links",
  },
  noDiscovery: {
    flag: "--no-discovery",
    env: "VITRINE_CONTENT_NO_DISCOVERY",
    expected: "1 or 0",
    help: "Do not announce the service on the local network",
  },
  noFirstKey: {
    flag: "--no-first-key",
    env: "VITRINE_CONTENT_NO_FIRST_KEY",
    expected: "1 or 0",
    help: "Do not print an API key or a link on the first start",
  },
  maxFileMb: {
    flag: "--max-file-mb",
    value: "N",
    env: "VITRINE_CONTENT_MAX_FILE_MB",
    expected: "the maximum file size, in megabytes",
    help: "Largest file to accept, in megabytes. Default: 16384",
  },
  leaseMs: {
    env: "VITRINE_CONTENT_LEASE_MS",
    expected: "milliseconds, at least 300",
  },
  offlineAfterMs: {
    env: "VITRINE_CONTENT_OFFLINE_AFTER_MS",
    expected: "milliseconds, at least 200",
  },
  screenshotMinutes: {
    flag: "--screenshot-minutes",
    value: "N",
    env: "VITRINE_CONTENT_SCREENSHOT_MINUTES",
    expected:
      "minutes between two screenshots of a screen, 1 to 1440, or 0 for none",
    help: "Minutes between screenshots of a screen, or 0 for none. Default: 5",
  },
  geocoderUrl: {
    flag: "--geocoder-url",
    value: "URL",
    env: "VITRINE_CONTENT_GEOCODER_URL",
    expected:
      "an http or https address with {query} in place of the search text",
    isSecret: true,
    help: "Geocoder to use instead of the built-in one",
  },
  oauthTokens: {
    flag: "--oauth-tokens",
    value: "FILE",
    env: "VITRINE_CONTENT_OAUTH_TOKENS",
    expected: "a JSON file that maps team → setting name → token",
    help: "JSON file with tokens for edge apps",
  },
  smtpUrl: {
    flag: "--smtp-url",
    value: "URL",
    env: "VITRINE_CONTENT_SMTP_URL",
    expected: "the address of a mail server, smtp://… or smtps://…",
    isSecret: true,
    help: "Mail server that sends alerts",
  },
  smtpFrom: {
    flag: "--smtp-from",
    value: "ADDRESS",
    env: "VITRINE_CONTENT_SMTP_FROM",
    expected:
      "an email address to send alerts from, such as alerts@example.org",
    help: "Email address that alerts are sent from",
  },
  language: {
    flag: "--language",
    value: "LANGUAGE",
    env: "VITRINE_CONTENT_LANGUAGE",
    expected: `the language of emails: ${mailLanguages.join(" or ")}`,
    help: "Language of emails: en or de. Default: en",
  },
  oidcIssuer: {
    flag: "--oidc-issuer",
    value: "URL",
    env: "VITRINE_CONTENT_OIDC_ISSUER",
    expected:
      "the https address of an OpenID Connect provider, or http on this PC",
    help: "OpenID Connect provider with which people can sign in",
  },
  oidcClientId: {
    flag: "--oidc-client-id",
    value: "ID",
    env: "VITRINE_CONTENT_OIDC_CLIENT_ID",
    expected: "the client ID that the provider has for this service",
    help: "Client ID of this service at the OpenID Connect provider",
  },
  oidcClientSecret: {
    env: "VITRINE_CONTENT_OIDC_CLIENT_SECRET",
    expected: "the client secret of this service at the provider",
    isSecret: true,
  },
  oidcClientSecretFile: {
    flag: "--oidc-client-secret-file",
    value: "FILE",
    env: "VITRINE_CONTENT_OIDC_CLIENT_SECRET_FILE",
    expected: "a file with the client secret",
    help: "File with the client secret of this service at the provider",
  },
  oidcLabel: {
    flag: "--oidc-label",
    value: "TEXT",
    env: "VITRINE_CONTENT_OIDC_LABEL",
    expected: "a name of up to 60 characters, such as Example Ltd",
    help: "Name of the provider on the sign-in page. Default: its host name",
  },
  oidcRoles: {
    flag: "--oidc-roles",
    value: "CLAIM=VALUE:ROLE,…",
    env: "VITRINE_CONTENT_OIDC_ROLES",
    expected:
      "claims and the roles of people who have them, such as groups=signage:editor,groups=it:admin",
    help: "Roles for people who were not invited, based on claims from the provider",
  },
  secretsKey: {
    env: "VITRINE_CONTENT_SECRETS_KEY",
    expected: "32 characters or more",
    isSecret: true,
  },
  secretsKeyFile: {
    flag: "--secrets-key-file",
    value: "FILE",
    env: "VITRINE_CONTENT_SECRETS_KEY_FILE",
    expected: "a file with a key of 32 characters or more",
    help: "File with the key that encrypts secrets and signs addresses",
  },
  backupsKept: {
    flag: "--backups-kept",
    value: "N",
    env: "VITRINE_CONTENT_BACKUPS_KEPT",
    expected: "the number of daily SQLite backups to keep, 0 to 366",
    help: "Number of daily SQLite backups to keep. Default: 7",
  },
  playbackDaysKept: {
    flag: "--playback-days-kept",
    value: "N",
    env: "VITRINE_CONTENT_PLAYBACK_DAYS_KEPT",
    expected:
      "the number of days to keep playbacks, 31 to 36500, or 0 to keep all",
    help: "Days to keep playbacks, or 0 to keep all. Default: 0",
  },
  sweepAfterMs: {
    env: "VITRINE_CONTENT_SWEEP_AFTER_MS",
    expected: "milliseconds",
  },
  ...traceSources,
};

/** `readContentConfig(["--data-dir", "content"], {})` */
export function readContentConfig(
  flags: readonly string[],
  env: Environment,
): Reading<ContentConfig> {
  const reading = readStart(fields, sources, flags, env);
  const complaint = reading.ok ? complaintAbout(reading.value) : null;
  return complaint === null ? reading : { ok: false, message: complaint };
}

/** Configuration from the arguments and environment of this process. */
export function readProcessConfig(
  flags: readonly string[],
): Reading<ContentConfig> {
  return readContentConfig(flags, process.env);
}

/** For `--help`. */
export function contentFlags(): string {
  return flagLines(sources);
}

/** A declared proxy, or a bind address other than loopback, exposes the service to strangers (V4-286). */
export function isForThisMachineAlone({
  host,
  behindProxy,
  publicUrl,
}: Pick<ContentConfig, "host" | "behindProxy" | "publicUrl">): boolean {
  const isReachedHere =
    publicUrl === undefined ||
    isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ""));
  return isLoopback(host) && !behindProxy && isReachedHere;
}

/** Options that are valid individually but not together (V4-201). */
function complaintAbout(config: ContentConfig): string | null {
  const tls = tlsComplaint(config);
  if (tls !== null) return tls;
  const { dataDir, secretsKey, secretsKeyFile } = config;
  if (secretsKey !== undefined && secretsKeyFile !== undefined)
    return "The secrets key is set twice: in a file and in the environment. Use one of them.";
  if (secretsKeyFile?.startsWith(dataDir + sep))
    return "--secrets-key-file must not be in the data folder: a copy of that folder would include the key.";
  if (config.readDatabaseUrl !== undefined && config.databaseUrl === undefined)
    return "--read-database-url needs --database-url, the address of its primary.";
  const { cdnUrl, cdnKeyPair, cdnKeyFile } = config;
  const ofCdn = [cdnUrl, cdnKeyPair, cdnKeyFile].filter(
    (each) => each !== undefined,
  );
  if (ofCdn.length > 0 && (ofCdn.length < 3 || !config.storage))
    return "--cdn-url, --cdn-key-pair, --cdn-key-file and --storage must be set together.";
  if (
    config.storage &&
    isDeepStrictEqual(config.storage, config.previousStorage)
  )
    return "--storage and --previous-storage must be different.";
  if ((config.smtpUrl === undefined) !== (config.smtpFrom === undefined))
    return "--smtp-url and --smtp-from must be set together.";
  const oidc = oidcComplaint(config);
  if (oidc !== null) return oidc;
  const traces = traceSettings(config);
  if (traces && "problem" in traces) return traces.problem;
  const { host, tlsCert, behindProxy } = config;
  if (!isLoopback(host) && tlsCert === undefined && !behindProxy)
    return `Listening on ${host} would send keys over the network unencrypted. Set --tls-cert and --tls-key, or --behind-proxy if a proxy provides TLS.`;
  return null;
}

function oidcComplaint(config: ContentConfig): string | null {
  const { oidcIssuer, oidcClientId, oidcLabel, oidcRoles } = config;
  const { oidcClientSecret, oidcClientSecretFile, publicUrl } = config;
  if (oidcClientSecret !== undefined && oidcClientSecretFile !== undefined)
    return "The client secret is set twice: in a file and in the environment. Use one of them.";
  const needed = [
    ...[oidcIssuer, oidcClientId],
    oidcClientSecret ?? oidcClientSecretFile,
  ];
  const others = [oidcLabel, oidcRoles];
  const isSet = (value: unknown): boolean => value !== undefined;
  if (!needed.some(isSet) && !others.some(isSet)) return null;
  if (!needed.every(isSet))
    return "--oidc-issuer, --oidc-client-id and a client secret (--oidc-client-secret-file or VITRINE_CONTENT_OIDC_CLIENT_SECRET) must be set together.";
  return publicUrl === undefined && !isForThisMachineAlone(config)
    ? "--oidc-issuer needs --public-url: the provider sends people back to that address."
    : null;
}
