// Simulates a Windows PC as its own programs show it: registry, power plan and tasks, through reg, powercfg and schtasks.

import { readFileSync } from "node:fs";
import type { Run } from "../../../electron/autostart/windows-setup.ts";

interface Value {
  readonly type: string;
  readonly data: string;
}

const balanced = "381b4222-f694-41f0-9685-ff5bb260df2e";

export class WindowsMachine {
  /** By key, then by name. */
  readonly registry = new Map<string, Map<string, Value>>();
  /** Seconds while plugged in, by setting. */
  readonly idle = new Map<string, number>();
  readonly tasks = new Map<string, string>();
  /** Commands that changed something. */
  readonly changes: string[] = [];
  /** Interrupted before a further change once this many have been made. */
  changesLeft = Infinity;

  set(key: string, name: string, data: string, type = "REG_DWORD"): this {
    const values = this.registry.get(key) ?? new Map<string, Value>();
    values.set(name, { type, data });
    this.registry.set(key, values);
    return this;
  }

  get(key: string, name: string): string | undefined {
    return this.registry.get(key)?.get(name)?.data;
  }

  /** All of it, for comparison. */
  state(): unknown {
    return structuredClone({
      // A key without values counts as missing.
      registry: new Map(
        [...this.registry].filter(([, values]) => values.size > 0),
      ),
      idle: this.idle,
      tasks: this.tasks,
    });
  }

  readonly run: Run = async (program, args) => {
    const printed = this.#answer(program, args);
    return printed === null
      ? { code: 1, printed: "ERROR: The system was unable to find it.\r\n" }
      : { code: 0, printed };
  };

  #answer(program: string, args: readonly string[]): string | null {
    const line = [program, ...args].join(" ");
    if (/ (?:\/query|query|\/getactivescheme)\b/.test(line))
      return this.#query(program, args);
    if (this.changesLeft === 0) throw new Error("the power went");
    this.changesLeft -= 1;
    this.changes.push(line);
    return this.#change(program, args);
  }

  #query(program: string, args: readonly string[]): string | null {
    if (program === "schtasks") return this.tasks.get(args[2] ?? "") ?? null;
    if (args[0] === "/getactivescheme")
      return `GUID des Energieschemas: ${balanced}  (Ausbalanciert)\r\n`;
    if (program === "powercfg") {
      const seconds = this.idle.get(args[3] ?? "");
      if (seconds === undefined) return "";
      const index = seconds.toString(16).padStart(8, "0");
      return [
        "      Minimum der möglichen Einstellung: 0x00000000",
        "      Maximum der möglichen Einstellung: 0xffffffff",
        `    Index der aktuellen Wechselstromeinstellung: 0x${index}`,
        "    Index der aktuellen Gleichstromeinstellung: 0x00000384",
        "",
      ].join("\r\n");
    }
    if (args[2] === "/s") return this.#search(args[1] ?? "", args[4] ?? "");
    const [, key = "", , name] = args;
    const values = this.registry.get(key);
    if (!values) return null;
    if (name === undefined) return `\r\n${key}\r\n`;
    const value = values.get(name);
    return value
      ? `\r\n${key}\r\n    ${name}    ${value.type}    ${value.data}\r\n\r\n`
      : null;
  }

  /** `reg query KEY /s /v NAME`, which names keys in full. */
  #search(root: string, name: string): string | null {
    const found = [...this.registry].flatMap(([key, values]) => {
      const value = key.startsWith(`${root}\\`) ? values.get(name) : undefined;
      return value
        ? `\r\n${key.replace(/^HKLM/, "HKEY_LOCAL_MACHINE")}\r\n    ${name}    ${value.type}    ${value.data}\r\n`
        : [];
    });
    return found.length === 0
      ? null
      : `${found.join("")}\r\nSuche abgeschlossen: ${found.length} Übereinstimmung(en) gefunden.\r\n`;
  }

  #change(program: string, args: readonly string[]): string | null {
    const after = (flag: string): string => args[args.indexOf(flag) + 1] ?? "";
    if (program === "reg" && args[0] === "add") {
      this.set(args[1] ?? "", after("/v"), after("/d"), after("/t"));
      return "The operation completed successfully.\r\n";
    }
    if (program === "reg" && args[0] === "delete" && args.includes("/v"))
      return this.registry.get(args[1] ?? "")?.delete(after("/v")) ? "" : null;
    if (program === "powercfg" && args[0] === "/setacvalueindex") {
      if (args[1] !== balanced) return null;
      this.idle.set(args[3] ?? "", Number(args[4]));
      return "";
    }
    if (program === "powercfg" && args[0] === "/setactive") return "";
    if (program === "powercfg" && args[0] === "/hibernate") {
      this.set(powerKey, "HibernateEnabled", args[1] === "on" ? "0x1" : "0x0");
      return "";
    }
    if (program === "schtasks" && args[0] === "/create") {
      const bytes = readFileSync(after("/xml"));
      if (bytes.readUInt16LE() !== 0xfeff) return null;
      this.tasks.set(after("/tn"), bytes.toString("utf16le").slice(1));
      return "";
    }
    if (program === "schtasks" && args[0] === "/delete")
      return this.tasks.delete(after("/tn")) ? "" : null;
    throw new Error(`not known here: ${[program, ...args].join(" ")}`);
  }
}

export const powerKey = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Power";
