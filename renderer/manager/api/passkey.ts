// The browser's passkeys, in the JSON form of WebAuthn (V3-211 to V3-213).

import type { PasskeyOptionsV3 } from "../../../server/contract/v3/v3-passkeys.ts";

/** Browsers without the JSON form are too old. */
export function canUsePasskeys(): boolean {
  return (
    "PublicKeyCredential" in window &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential
  );
}

/** For the service; rejects with a DOMException, as `NotAllowedError` if the person cancels, and `InvalidStateError` for a device that has one. */
export async function createPasskey({
  options,
}: PasskeyOptionsV3): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return jsonOf(await navigator.credentials.create({ publicKey }));
}

/** For the service; rejects with a DOMException, as `NotAllowedError` if the person cancels or has none for this site. */
export async function getPasskey({
  options,
}: PasskeyOptionsV3): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return jsonOf(await navigator.credentials.get({ publicKey }));
}

function jsonOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException("There is no credential.", "NotAllowedError");
  return credential.toJSON();
}
