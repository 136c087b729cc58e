// Removes secrets from what leaves this PC in a support bundle: by the names of fields, and by what secrets look like (L-72).

const redacted = "[redacted]";

/** Fields whose value is a secret, whatever it is; a part of the name is enough. */
const secretName =
  /pass(?:word|wd|phrase)|secret|token|authorization|cookie|credential|api[-_]?key|private[-_]?key|headers?$|(?:^|[-_])pin(?:$|[-_])|pin[-_]?hash|(?:^|[-_])(?:salt|signature|session)(?:$|[-_])|js[-_]?injection/i;

/** Deeper than any document of this player. */
const maxDepth = 20;
/** A longer line is cut: no expression below has to read more. */
const maxLineLength = 8_192;

/** Each replaces what it finds; what stays shows where something was. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // A user name and a password in an address.
  [
    /\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#"'<>@]{1,500}(?:@[^\s/?#"'<>@]{1,500}){0,4}@/gi,
    `$1${redacted}@`,
  ],
  // Parameters and fragments of addresses: keys are often passed there.
  [/([?&;][\w.~[\]%-]{1,100}=)[^&;\s"'<>#]{1,4000}/g, `$1${redacted}`],
  [
    /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'<>#]{1,2000}#)[^\s"'<>]{1,4000}/gi,
    `$1${redacted}`,
  ],
  // Lines of HTTP: everything after the name.
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|auth|secret)[\w-]{0,40})(["']?\s{0,5}[:=]\s{0,5}).{1,8000}/gi,
    `$1$2${redacted}`,
  ],
  [/\b(bearer|basic|token)\s{1,5}[\w.~+/=:-]{4,4000}/gi, `$1 ${redacted}`],
  // Options and variables.
  [
    /\b((?:[a-z\d]{1,30}[-_]){0,6}(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|pin)["']?\s{0,5}[:=]\s{0,5}|--?(?:api-)?(?:key|token|pin|password)\s{1,5})(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"',;]{1,2000})/gi,
    `$1${redacted}`,
  ],
  // Credentials of screens, JSON web tokens, and password hashes, wherever they are.
  [/\bvitrine-screen-[\w-]{1,200}/g, `vitrine-screen-${redacted}`],
  [/\beyJ[\w-]{5,4000}\.[\w-]{1,8000}(?:\.[\w-]{0,2000})?/g, redacted],
  [
    /\$(?:2[aby]|argon2[a-z]{0,2}|scrypt|pbkdf2[\w-]{0,20}|[156])\$[\w./+=,$-]{10,500}/g,
    redacted,
  ],
];

/** Letters of both cases and digits, without a pause: nobody writes like this. A hash in hexadecimal stays. */
const random = /(?<![\w+/-])[\w+/-]{32,500}={0,2}(?![\w+/=-])/g;

/** One line. */
export function redactText(line: string): string {
  let text =
    line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
  for (const [pattern, replacement] of patterns)
    text = text.replace(pattern, replacement);
  return text.replace(random, (word) =>
    isRandomLooking(word) ? redacted : word,
  );
}

/** A part of a path rarely has letters of both cases, digits, and this length. */
function isRandomLooking(word: string): boolean {
  return word
    .split("/")
    .some(
      (part) =>
        part.length >= 16 &&
        /\d/.test(part) &&
        /[a-z]/.test(part) &&
        /[A-Z]/.test(part),
    );
}

/** From its first line to its last, or to the end of what is there of it. */
const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}-----)?/g;

/** A document as `JSON.parse` returns it. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string")
    return value
      .replace(privateKey, redacted)
      .split("\n")
      .map(redactText)
      .join("\n");
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return redacted;
  if (Array.isArray(value))
    return value.map((one: unknown) => redactValue(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: readonly [string, unknown]) => [
      // A name can be foreign, too.
      redactText(name),
      isHidden(name, one) ? redacted : redactValue(one, depth + 1),
    ]),
  );
}

/** That there is none, or that there is one, is no secret. */
function isHidden(name: string, value: unknown): boolean {
  return secretName.test(name) && value !== null && typeof value !== "boolean";
}

/** A line of a log: JSON, or the text of something else. */
export function redactLogLine(line: string): string {
  if (!line.startsWith("{") || line.length > maxLineLength * 4)
    return redactText(line);
  try {
    return JSON.stringify(redactValue(JSON.parse(line)));
  } catch {
    return redactText(line);
  }
}
