// Address of an object storage: s3://BUCKET/PREFIX?endpoint=URL&region=NAME&public-endpoint=URL (V4-354).

export interface StorageAddress {
  readonly bucket: string;
  /** Precedes every key: empty, or it ends with a slash. */
  readonly prefix: string;
  /** Undefined: that of the region at Amazon. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** At which clients download; the default is `endpoint`. */
  readonly publicEndpoint: string | undefined;
}

const parameters = new Set(["endpoint", "region", "public-endpoint"]);
/** Names of buckets are also host names. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixName = /^(?:[\w.-]+(?:\/[\w.-]+)*)?$/;

/** Null when it is invalid. */
export function readStorageAddress(text: string): StorageAddress | null {
  if (!text.startsWith("s3://") || !URL.canParse(text)) return null;
  const url = new URL(text);
  const { hostname: bucket, pathname, searchParams, hash } = url;
  const prefix = pathname.replace(/^\/|\/$/g, "");
  const names = [...searchParams.keys()];
  const isKnown = names.every(
    (name, at) => parameters.has(name) && names.indexOf(name) === at,
  );
  const isPlain = url.username + url.password + url.port + hash === "";
  if (!isKnown || !isPlain || prefix.length > 200) return null;
  if (!bucketName.test(bucket) || !prefixName.test(prefix)) return null;
  const endpoint = searchParams.get("endpoint") ?? undefined;
  const publicEndpoint = searchParams.get("public-endpoint") ?? undefined;
  const region = searchParams.get("region") ?? "us-east-1";
  if (!/^[a-z0-9-]{1,50}$/.test(region)) return null;
  for (const each of [endpoint, publicEndpoint])
    if (each !== undefined && !isEndpoint(each)) return null;
  return {
    ...{ bucket, endpoint, region, publicEndpoint },
    prefix: prefix === "" ? "" : `${prefix}/`,
  };
}

/** `s3://bucket/prefix`, for people. */
export function storageText({ bucket, prefix }: StorageAddress): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, "");
}

/** Credentials are never part of an address, which logs and process lists show. */
function isEndpoint(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === "";
}
