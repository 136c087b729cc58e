// A certificate for this machine's loopback, for tests only: its key is public.

import { connect } from "node:tls";

export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUeC/d0y0TMfTnGOdf+ZvvPgW8BDIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE0MTQwMFoYDzIxMjYxMDI4
MTQxNDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQYOdrZiwIBSVhAEcJG52eRImjqzZfnkJ378dk49w1FlXciXGjgz4H3
DM36eUVnp2Xm+d6KTu/CdfhAANfdQAJ/o28wbTAdBgNVHQ4EFgQU0UE1XZKiJmUJ
B7h1SHw2+65P5KYwHwYDVR0jBBgwFoAU0UE1XZKiJmUJB7h1SHw2+65P5KYwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgMST04/yhVkS+sFxLj0XQmDWjn5jEx02uUUm78szkYvQCIAzo
cYBZaa/Ptm+pNVtRiHhup0ZOzRU0xs2bhwejlfTi
-----END CERTIFICATE-----
`;

export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsv9CCFZMjU2Oj5i2
hrJjagOU53uZvdh3V/Q8yGayusahRANCAAQYOdrZiwIBSVhAEcJG52eRImjqzZfn
kJ378dk49w1FlXciXGjgz4H3DM36eUVnp2Xm+d6KTu/CdfhAANfdQAJ/
-----END PRIVATE KEY-----
`;

/** SHA-256 of the certificate that a new connection gets. */
export function fingerprintAt(address: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: hostname, port: Number(port), rejectUnauthorized: false },
    });
    socket.on("error", reject);
    socket.once("secureConnect", () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      resolve(fingerprint256);
    });
  });
}
