// Entry point of alerts: checks the rules, sends what is in the outbox, and tests targets (V3-90 to V3-99).

import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { AlertTestV3 } from "../../contract/v3/v3-alerts.ts";
import { createPeriodicTask } from "../files/periodic-task.ts";
import type { Sealer } from "../access/secret-encryption.ts";
import { checkRules, type RuleCheckOptions } from "./check-rules.ts";
import { DeliveryError } from "./delivery-error.ts";
import { mailText } from "./mail-text.ts";
import type { Mailer } from "./mailer.ts";
import { messageBody } from "./message-body.ts";
import { createOutbox, type Delivery, type OutboxOptions } from "./outbox.ts";
import { deleteOldAlerts } from "./retention.ts";
import { ruleFrom } from "./rules.ts";
import { targetsOf } from "./stored-incidents.ts";
import { inSpanOrTrace, type Traces } from "../traces/traces.ts";
import { sendWebhook } from "./webhook.ts";

export interface Alerts {
  /** Sends a test message to every target of a rule and waits for the results; null for an unknown rule. */
  test(teamId: string, ruleId: string): Promise<AlertTestV3 | null>;
  readonly hasMailServer: boolean;
  start(): void;
  stop(): Promise<void>;
}

export interface AlertsOptions
  extends
    RuleCheckOptions,
    Pick<OutboxOptions, "log" | "owner" | "firstPauseMs"> {
  readonly openSecret: Sealer["open"];
  readonly mailer: Mailer | null;
  readonly mayConnect: (address: string) => boolean;
  readonly checkMs?: number | undefined;
  readonly traces?: Traces | null;
}

/** How long a screen may have been wrong before this is noticed, besides the seconds of the rule. */
const defaultCheckMs = 5_000;
/** Another instance continues when this one ended. */
const leaseMs = 30_000;
const retentionMs = 3_600_000;

export function createAlerts(options: AlertsOptions): Alerts {
  const { database, log, now, makeId, mailer } = options;
  const { checkMs = defaultCheckMs } = options;
  const { kysely } = database;
  const task = createPeriodicTask({
    // Shorter than the pause between two looks, so that each finds it due.
    ...{ database, name: "alerts", leaseMs, pauseMs: Math.ceil(checkMs / 2) },
  });
  const outbox = createOutbox({ ...options, send });
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | null = null;
  let cleanedAt = -Infinity;

  async function send(
    { ruleId, target, address, message }: Delivery,
    signal: AbortSignal,
  ): Promise<string> {
    const rule = await kysely
      .selectFrom("alert_rules")
      .select(["webhook_url", "webhook_secret"])
      .where("id", "=", ruleId)
      .executeTakeFirst();
    if (target === "email") {
      if (!mailer) throw new DeliveryError(serviceSentences["no-mail-server"]);
      const text = mailText(message, mailer.language);
      return mailer.send(address, { id: message.id, ...text }, signal);
    }
    // The address as it is now: it may have been corrected since.
    const url = rule?.webhook_url ?? null;
    const secret = rule?.webhook_secret ?? null;
    if (url === null || secret === null)
      throw new DeliveryError(serviceSentences["no-webhook"], true);
    const start = {
      ...({ name: "POST", kind: "client" } as const),
      attributes: {
        "http.request.method": "POST",
        "server.address": new URL(url).hostname,
      },
    };
    return inSpanOrTrace(options.traces ?? null, start, (span) =>
      sendWebhook({
        ...{ url, signal, at: now(), mayConnect: options.mayConnect },
        secret: options.openSecret(ruleId, secret),
        ...{ messageId: message.id, body: JSON.stringify(message) },
        headers: span?.headers(),
      }),
    );
  }

  async function check(): Promise<void> {
    outbox.wake();
    if (!(await hasRules())) return;
    if ((await task.take()) === null) return;
    try {
      if (performance.now() - cleanedAt > retentionMs) {
        cleanedAt = performance.now();
        await deleteOldAlerts(kysely, now());
      }
      const hold = async (): Promise<boolean> =>
        !stopped.signal.aborted && (await task.hold(""));
      if (await checkRules(options, hold)) outbox.wake();
      await task.finish();
    } finally {
      await task.release();
    }
  }

  async function hasRules(): Promise<boolean> {
    const found = await kysely
      .selectFrom("alert_rules")
      .select("id")
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  return {
    hasMailServer: mailer !== null,
    test: async (teamId, ruleId) => {
      const row = await kysely
        .selectFrom("alert_rules")
        .selectAll()
        .where("team_id", "=", teamId)
        .where("id", "=", ruleId)
        .executeTakeFirst();
      if (!row) return null;
      const rule = ruleFrom(row);
      const message = messageBody({
        ...{ id: makeId(), type: "test", rule, createdAt: now() },
        ...{ opened: [], ended: [] },
      });
      const results = targetsOf(rule).map(async (target) => {
        const outcome = await send(
          { ...target, id: message.id, ruleId, message },
          stopped.signal,
        ).then(
          (result) => ({ is_sent: true, result }),
          (error: unknown) => {
            if (error instanceof DeliveryError)
              return { is_sent: false, result: error.message };
            throw error;
          },
        );
        return { ...target, ...outcome };
      });
      return { results: await Promise.all(results) };
    },
    start: () => {
      const checkOnce = (): void => {
        checking ??= check()
          .catch((error: unknown) => {
            // The database is unavailable: the next look tries again.
            if (!stopped.signal.aborted)
              log.warn("alerts.check-failed", { error });
          })
          .then(() => {
            checking = null;
          });
      };
      checkOnce();
      timer = setInterval(checkOnce, checkMs);
    },
    stop: async () => {
      stopped.abort();
      clearInterval(timer);
      await checking;
      await outbox.stop();
    },
  };
}
