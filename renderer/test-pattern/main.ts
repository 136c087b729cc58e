// Test pattern: screen edges, safe area, circles for the aspect ratio, colours and greys, and a tone per audio channel.

const words = new URLSearchParams(location.search);
const quarterTurns = Number(words.get("orientation") ?? 0) / 90;

const bars = [
  ...["#ffffff", "#ffff00", "#00ffff", "#00ff00"],
  ...["#ff00ff", "#ff0000", "#0000ff", "#000000"],
];
const greys = 11;
/** What televisions may crop (overscan): by convention, five per cent on each side. */
const safePart = 0.05;

const canvas = document.querySelector("canvas");
if (canvas) {
  const drawNow = (): void => {
    draw(canvas);
  };
  drawNow();
  window.addEventListener("resize", drawNow);
}
// Without an output the pattern stays, and is silent.
if (words.get("audio") === "1") playTones().catch(() => undefined);

function draw(on: HTMLCanvasElement): void {
  // Physical pixels of the display: a line is one pixel wide.
  const across = Math.round(innerWidth * devicePixelRatio);
  const down = Math.round(innerHeight * devicePixelRatio);
  on.width = across;
  on.height = down;
  const pen = on.getContext("2d");
  if (!pen) return;
  const isUpright = quarterTurns % 2 === 1;
  const width = isUpright ? down : across;
  const height = isUpright ? across : down;
  pen.translate(across / 2, down / 2);
  pen.rotate((quarterTurns * Math.PI) / 2);
  pen.translate(-width / 2, -height / 2);
  pen.fillStyle = "#202020";
  pen.fillRect(0, 0, width, height);
  drawGrid(pen, width, height);
  drawStrips(pen, width, height);
  drawEdges(pen, width, height);
  drawWords(pen, width, height);
}

function drawGrid(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const cell = Math.max(width, height) / 16;
  pen.strokeStyle = "#5c5c5c";
  pen.lineWidth = 1;
  pen.beginPath();
  for (let x = (width / 2) % cell; x < width; x += cell) {
    pen.moveTo(Math.round(x) + 0.5, 0);
    pen.lineTo(Math.round(x) + 0.5, height);
  }
  for (let y = (height / 2) % cell; y < height; y += cell) {
    pen.moveTo(0, Math.round(y) + 0.5);
    pen.lineTo(width, Math.round(y) + 0.5);
  }
  pen.stroke();
  const radius = Math.min(width, height) * 0.42;
  pen.strokeStyle = "#ffffff";
  pen.lineWidth = 2;
  for (const [x, y, r] of [
    [width / 2, height / 2, radius],
    ...[0.12, 0.88].flatMap((across) =>
      [0.15, 0.85].map((down) => [width * across, height * down, radius / 4]),
    ),
  ]) {
    pen.beginPath();
    pen.arc(x ?? 0, y ?? 0, r ?? 0, 0, 2 * Math.PI);
    pen.stroke();
  }
}

function drawStrips(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const left = width * 0.25;
  const each = (width * 0.5) / bars.length;
  bars.forEach((colour, index) => {
    pen.fillStyle = colour;
    pen.fillRect(left + index * each, height * 0.3, each + 1, height * 0.1);
  });
  const step = (width * 0.5) / greys;
  for (let index = 0; index < greys; index++) {
    const light = Math.round((255 * index) / (greys - 1));
    pen.fillStyle = `rgb(${light}, ${light}, ${light})`;
    pen.fillRect(left + index * step, height * 0.6, step + 1, height * 0.1);
  }
}

function drawEdges(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  pen.strokeStyle = "#ff3030";
  pen.lineWidth = 2;
  pen.strokeRect(1, 1, width - 2, height - 2);
  pen.strokeStyle = "#40ff40";
  pen.setLineDash([16, 12]);
  const [x, y] = [width * safePart, height * safePart];
  pen.strokeRect(x, y, width - 2 * x, height - 2 * y);
  pen.setLineDash([]);
}

function drawWords(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const size = Math.round(Math.min(width, height) / 12);
  pen.fillStyle = "#ffffff";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.fillText(`${width} × ${height}`, width / 2, height / 2);
  pen.font = `${Math.round(size / 2)}px system-ui, sans-serif`;
  // The arrow marks the top edge, in any language.
  pen.fillText("▲", width / 2, height * safePart + size / 2);
}

/** Left, right, both channels: half a second each. */
async function playTones(): Promise<void> {
  const audio = new AudioContext();
  const start = audio.currentTime + 0.3;
  [-1, 1, 0].forEach((side, index) => {
    const tone = new OscillatorNode(audio, { frequency: 440 });
    const place = new StereoPannerNode(audio, { pan: side });
    const level = new GainNode(audio, { gain: 0.3 });
    tone.connect(level).connect(place).connect(audio.destination);
    tone.start(start + index * 0.8);
    tone.stop(start + index * 0.8 + 0.5);
  });
  await audio.resume();
}
