// Fuzzing: multipart bodies and pieces of files with every possible fault.

import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { png } from "../media/media.ts";
import { bodyTargets } from "./fields.ts";
import { request } from "./request.ts";
import { text } from "./text.ts";

const one = fc.constantFrom;

const partName = fc.oneof(
  { weight: 6, arbitrary: one("file_upload", "backup_upload") },
  one("name", "ids", "__proto__", "constructor", "", "x".repeat(5000)),
  text.map((value) => value.replace(/[\r\n"]/g, "")),
);
const partHead = fc
  .tuple(
    partName,
    // prettier-ignore
    one(
      "", '; filename="a.png"', '; filename="../../../etc/passwd"', '; filename="C:\\x\\y"',
      '; filename="', "; filename*=utf-8''%ff%zz", `; filename="${"n".repeat(9000)}"`,
      '; filename=""',
    ),
    // prettier-ignore
    one(
      "", "\r\nContent-Type: image/png", "\r\nContent-Type: \0", `\r\nX: ${"y".repeat(90_000)}`,
      "\r\n: x", "\r\nContent-Transfer-Encoding: base64",
    ),
  )
  .map(
    ([name, file, more]) =>
      `Content-Disposition: form-data; name="${name}"${file}${more}`,
  );
const part = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: partHead },
      one("", "Content-Disposition", "nonsense"),
    ),
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.nat(255).map((shade) => png([shade, 1, 1], 4, 4)),
      one(
        png([1, 2, 3], 4, 4).subarray(0, 20),
        Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
        gzipSync("x"),
      ),
      one(Buffer.alloc(0), Buffer.from("\r\n--x"), Buffer.from("GIF89a")),
    ),
  )
  .map(([head, content]) =>
    Buffer.concat([
      Buffer.from(`--x\r\n${head}\r\n\r\n`),
      content,
      Buffer.from("\r\n"),
    ]),
  );

/** Would be accepted, were it not for what surrounds it. */
const soundPart = fc
  .nat(255)
  .map((shade) =>
    Buffer.concat([
      Buffer.from(
        '--x\r\nContent-Disposition: form-data; name="file_upload"; filename="a.png"\r\n\r\n',
      ),
      png([shade, 2, 2], 4, 4),
      Buffer.from("\r\n"),
    ]),
  );

const multipartBody = fc
  .tuple(
    fc.oneof(
      fc.array(part, { maxLength: 4 }),
      fc.array(fc.oneof({ weight: 3, arbitrary: soundPart }, part), {
        ...{ minLength: 1, maxLength: 2 },
      }),
    ),
    fc.oneof(
      { weight: 3, arbitrary: one("--x--\r\n") },
      one("--x--", "", "--x", "--y--\r\n"),
    ),
  )
  .map(([parts, end]) => Buffer.concat([...parts, Buffer.from(end)]));

const multipartType = fc.oneof(
  { weight: 3, arbitrary: one("multipart/form-data; boundary=x") },
  // prettier-ignore
  one(
    'multipart/form-data; boundary="x"', "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/mixed; boundary=x", `multipart/form-data; boundary=${"b".repeat(300)}`,
  ),
);

// prettier-ignore
const pieceHeaders = one<readonly (readonly [string, string])[]>(
  [], [], [], [], [], [],
  [["Content-Range", "bytes 0-3/8"]],
  [["Content-Range", "bytes 0-0/1"], ["X-Upload-Id", "0".repeat(32)]],
  [["Content-Range", "bytes 0-299/300"], ["X-Upload-Id", "../../x"]],
  [["Content-Range", "bytes 5-1/9"]],
  [["Content-Range", "bytes */8"]],
  [["Content-Range", "bytes 0-999999999999998/999999999999999"]],
  [["Content-Range", `bytes 0-1/${"9".repeat(40)}`]],
  [["X-Upload-Id", "0".repeat(32)]],
);

export const multipartRequest = request(
  fc.oneof(
    { weight: 3, arbitrary: one(["POST", "/api/v2/file_asset"]) },
    one(["POST", "/api/v2/recover"]),
    bodyTargets,
  ),
  fc
    .tuple(multipartType, pieceHeaders)
    .map(([type, more]) => [["Content-Type", type], ...more] as const),
  multipartBody,
);
