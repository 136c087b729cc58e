// Whether a request is a browser that a provider, another site, sends back to sign in (V3-207).

import type { Request } from "express";

const callbackPath = /^(?:\/api)?\/v3\/sign-in\/openid\/callback\/?$/;

/** A page of its own, which no frame can contain; what it may do is decided by the cookie of the browser that began. */
export function isOpenidCallback({ path, method, headers }: Request): boolean {
  return (
    callbackPath.test(path) &&
    method === "GET" &&
    headers.origin === undefined &&
    headers["sec-fetch-dest"] === "document"
  );
}
