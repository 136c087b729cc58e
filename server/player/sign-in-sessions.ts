// Sessions of browsers that signed in with an access token or the password; kept in memory, so a restart signs everyone out
// (V2-773).

import { createHash, randomBytes } from "node:crypto";

export interface Session {
  /** Of the token or the password it came from: without it the session is over (V2-774). */
  readonly credentialId: string;
  /** Hash of its secret. */
  readonly key: string;
  /** It came from the code on the screen (V2-785). */
  readonly isPhone: boolean;
}

export interface Sessions {
  /** Returns the secret for the cookie. */
  begin(credentialId: string, isPhone?: boolean): string;
  /** The open session with this secret, whose use is noted; null when there is none. */
  find(secret: string): Session | null;
  isOpen(session: Session): boolean;
  /** Keeps one that a change of the password has ended; from now on it depends on this credential. */
  carryOver(session: Session, credentialId: string): void;
  end(secret: string): void;
  endAll(): void;
}

export interface SessionsOptions {
  readonly monotonic: () => number;
  readonly hasCredential: (id: string) => boolean;
  /** Differs for each password that is set. */
  readonly passwordId: () => string | null;
}

const hourMs = 3_600_000;
const maxIdleMs = 12 * hourMs;
const maxSessionMs = 7 * 24 * hourMs;
/** A phone is trusted for the day on which its owner stands before the screen, used or not. */
const phoneMs = 24 * hourMs;
/** More browsers than any site has; beyond it the one that was used least recently has to sign in again. */
const maxSessions = 200;

interface OpenSession extends Session {
  credentialId: string;
  /** A change of the password signs every browser out, also one made by another process (V2-781). */
  passwordId: string | null;
  readonly beganAt: number;
  usedAt: number;
}

export function createSessions({
  monotonic,
  hasCredential,
  passwordId,
}: SessionsOptions): Sessions {
  /** By the hash of the secret; the least recently used comes first. */
  const sessions = new Map<string, OpenSession>();

  function isOver(session: OpenSession): boolean {
    const { credentialId, isPhone, beganAt, usedAt } = session;
    const moment = monotonic();
    return (
      moment - usedAt >= (isPhone ? phoneMs : maxIdleMs) ||
      moment - beganAt >= maxMsOf(session) ||
      session.passwordId !== passwordId() ||
      !hasCredential(credentialId)
    );
  }

  return {
    begin: (credentialId, isPhone = false) => {
      const secret = randomBytes(32).toString("base64url");
      const moment = monotonic();
      const key = keyOf(secret);
      sessions.set(key, {
        ...{ credentialId, key, isPhone, beganAt: moment, usedAt: moment },
        passwordId: passwordId(),
      });
      if (sessions.size > maxSessions)
        for (const oldest of sessions.keys()) {
          sessions.delete(oldest);
          break;
        }
      return secret;
    },
    find: (secret) => {
      const key = keyOf(secret);
      const session = sessions.get(key);
      if (!session) return null;
      sessions.delete(key);
      if (isOver(session)) return null;
      session.usedAt = monotonic();
      sessions.set(key, session);
      return session;
    },
    isOpen: ({ key }) => {
      const session = sessions.get(key);
      return session !== undefined && !isOver(session);
    },
    carryOver: ({ key }, credentialId) => {
      const session = sessions.get(key);
      if (!session) return;
      session.credentialId = credentialId;
      session.passwordId = passwordId();
    },
    end: (secret) => {
      sessions.delete(keyOf(secret));
    },
    endAll: () => sessions.clear(),
  };
}

/** How long it lasts at most. */
export function maxMsOf({ isPhone }: Pick<Session, "isPhone">): number {
  return isPhone ? phoneMs : maxSessionMs;
}

/** A random secret of 256 bits cannot be guessed from its hash. */
function keyOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
