// A device with passkeys, in software: makes and uses keys as a browser and its device do, and can be told to do it wrong.

import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

/** What differs from what an honest browser does. */
export interface Dishonesty {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Without the check of who uses the device. */
  readonly isUnverified?: boolean;
  /** Signs with another key. */
  readonly isForged?: boolean;
}

export interface Authenticator {
  readonly id: string;
  /** The counter of the next signature; 0: the device does not count. */
  counter: number;
  create(options: unknown, dishonesty?: Dishonesty): object;
  get(options: unknown, dishonesty?: Dishonesty): object;
}

const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Uint8Array): Buffer =>
  createHash("sha256").update(data).digest();

export function createAuthenticator(origin: string): Authenticator {
  const credentialId = randomBytes(16);
  const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { privateKey, publicKey } = newKey();
  const id = text(credentialId);

  function clientData(
    usual: string,
    { challenge }: Options,
    dishonesty: Dishonesty,
  ): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: dishonesty.type ?? usual,
        challenge: dishonesty.challenge ?? challenge,
        origin: dishonesty.origin ?? origin,
        crossOrigin: false,
      }),
    );
  }

  function authenticatorData(
    rpId: string,
    { isUnverified = false, rpId: other }: Dishonesty,
    credential: Uint8Array = Buffer.alloc(0),
  ): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(device.counter);
    // Somebody was present (1), was verified (4), and a credential follows (64).
    const flags = 1 + (isUnverified ? 0 : 4) + (credential.length > 0 ? 64 : 0);
    return Buffer.concat([
      ...[sha256(other ?? rpId), Buffer.of(flags), counter, credential],
    ]);
  }

  const device: Authenticator = {
    id,
    counter: 0,
    create: (options, dishonesty = {}) => {
      const given = options as Options;
      const credential = Buffer.concat([
        ...[Buffer.alloc(16), Buffer.of(0, credentialId.length), credentialId],
        coseKey(publicKey),
      ]);
      const data = authenticatorData(
        ...([given.rp?.id ?? "", dishonesty, credential] as const),
      );
      // A CBOR map of three: "fmt" is "none", "attStmt" an empty map, "authData" the bytes.
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        ...[cborText("fmt"), cborText("none")],
        ...[cborText("attStmt"), Buffer.of(0xa0)],
        ...[cborText("authData"), cborBytes(data)],
      ]);
      const client = clientData("webauthn.create", given, dishonesty);
      return {
        ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
        response: {
          clientDataJSON: text(client),
          attestationObject: text(attestation),
          transports: ["internal"],
        },
      };
    },
    get: (options, dishonesty = {}) => {
      const given = options as Options;
      const client = clientData("webauthn.get", given, dishonesty);
      const data = authenticatorData(given.rpId ?? "", dishonesty);
      const key = dishonesty.isForged ? newKey().privateKey : privateKey;
      return {
        ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(
            createSign("sha256").update(data).update(sha256(client)).sign(key),
          ),
        },
      };
    },
  };
  return device;
}

/** A map of five: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1), with x (-2) and y (-3). */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01),
    ...[Buffer.of(0x21), cborBytes(Buffer.from(x, "base64url"))],
    ...[Buffer.of(0x22), cborBytes(Buffer.from(y, "base64url"))],
  ]);
}

function cborText(word: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + word.length), Buffer.from(word)]);
}

/** Of at most 255 bytes. */
function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([
    bytes.length < 24
      ? Buffer.of(0x40 + bytes.length)
      : Buffer.of(0x58, bytes.length),
    bytes,
  ]);
}
