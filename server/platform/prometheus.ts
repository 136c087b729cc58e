// The text format of Prometheus, 0.0.4: counters, gauges and histograms as lines.

export type Labels = Readonly<Record<string, string>>;

/** One metric with all its series. */
export interface Family {
  lines(): string;
}

interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

export interface Counter {
  add(labels: Labels, by?: number): void;
  family(): Family;
}

export function createCounter(name: string, help: string): Counter {
  const series = new Map<string, number>();
  return {
    add: (labels, by = 1) => {
      const key = labelText(labels);
      series.set(key, (series.get(key) ?? 0) + by);
    },
    family: () => ({
      lines: () =>
        head(name, help, "counter") +
        [...series].map(([key, value]) => line(name, key, value)).join(""),
    }),
  };
}

export function gauge(
  name: string,
  help: string,
  samples: readonly Sample[],
): Family {
  return {
    lines: () =>
      head(name, help, "gauge") +
      samples
        .map(({ labels = {}, value }) => line(name, labelText(labels), value))
        .join(""),
  };
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
  family(): Family;
}

export function createHistogram(
  name: string,
  help: string,
  bounds: readonly number[],
): Histogram {
  interface Series {
    readonly labels: Labels;
    /** By bound, not yet added up; the last is beyond them all. */
    readonly counts: number[];
    sum: number;
  }
  const all = new Map<string, Series>();

  function linesOf([key, { labels, counts, sum }]: [string, Series]): string {
    let count = 0;
    const buckets = counts.map((own, index) => {
      count += own;
      const le = bounds[index] === undefined ? "+Inf" : String(bounds[index]);
      return line(`${name}_bucket`, labelText({ ...labels, le }), count);
    });
    return [
      ...buckets,
      line(`${name}_sum`, key, sum),
      line(`${name}_count`, key, count),
    ].join("");
  }

  return {
    observe: (labels, value) => {
      const key = labelText(labels);
      let series = all.get(key);
      if (!series) {
        const counts = Array<number>(bounds.length + 1).fill(0);
        all.set(key, (series = { labels, counts, sum: 0 }));
      }
      const index = bounds.findIndex((bound) => value <= bound);
      const at = index < 0 ? bounds.length : index;
      series.counts[at] = (series.counts[at] ?? 0) + 1;
      series.sum += value;
    },
    family: () => ({
      lines: () =>
        head(name, help, "histogram") + [...all].map(linesOf).join(""),
    }),
  };
}

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels} ${value}\n`;
}

/** Who counts often hands in the same labels again: their text is made once. */
const texts = new WeakMap<Labels, string>();

function labelText(labels: Labels): string {
  let text = texts.get(labels);
  if (text === undefined) texts.set(labels, (text = writtenOut(labels)));
  return text;
}

function writtenOut(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
}
