import { inLines, type Paper } from './paper.ts';

/** In CSS pixels, drawn three times as large: it is looked at on phones. */
const WIDTH = 380;
const SCALE = 3;
const MARGIN = 24;
const BAND = 10;

/** Paper is light, whatever the page looks like; the colours of tokens.css. */
const SURFACE = 'rgb(255 255 255)';
const INK = 'rgb(23 35 28)';
const FAINT = 'rgb(77 91 81)';
const LINE = 'rgb(229 220 201)';
const FOREST = 'rgb(18 80 58)';
const OCHRE = 'rgb(217 150 26)';

interface Text {
  readonly text: string;
  readonly size: number;
  readonly weight: number;
  readonly colour: string;
}

/** The receipt as a PNG, to be sent to whoever asks for it. */
export async function receiptPicture(paper: Paper): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws nothing.');
  // Once to know how high it is: a canvas that is resized is empty.
  const height = draw(pen, paper);
  canvas.width = WIDTH * SCALE;
  canvas.height = height * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = SURFACE;
  pen.fillRect(0, 0, WIDTH, height);
  draw(pen, paper);
  drawBand(pen, height - BAND);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png');
  });
}

/** Draws from the top on, and says how high all of it is. */
function draw(pen: CanvasRenderingContext2D, { mark, what, amount, facts }: Paper): number {
  let y = 22;
  const write = (one: Text, side: 'left' | 'right' = 'left', room = WIDTH - 2 * MARGIN, from = y): number => {
    pen.font = `${one.weight} ${one.size}px system-ui, sans-serif`;
    pen.fillStyle = one.colour;
    pen.textAlign = side;
    pen.textBaseline = 'top';
    const lines = inLines(one.text, room, (part) => pen.measureText(part).width);
    const x = side === 'left' ? MARGIN : WIDTH - MARGIN;
    for (const [index, line] of lines.entries()) pen.fillText(line, x, from + index * one.size * 1.35);
    return lines.length * one.size * 1.35;
  };
  y += write({ text: 'Ushirika', size: 20, weight: 800, colour: FOREST }) + 12;
  y += write({ text: mark, size: 13, weight: 600, colour: FOREST }) + 4;
  y += write({ text: what, size: 16, weight: 600, colour: INK }) + 6;
  if (amount !== null) y += write({ text: amount, size: 28, weight: 700, colour: INK }) + 6;
  for (const [name, value] of facts) {
    pen.fillStyle = LINE;
    pen.fillRect(MARGIN, y, WIDTH - 2 * MARGIN, 1);
    y += 10;
    const left = write({ text: name, size: 14, weight: 400, colour: FAINT }, 'left', 130);
    const right = write({ text: value, size: 14, weight: 600, colour: INK }, 'right', WIDTH - 2 * MARGIN - 142);
    y += Math.max(left, right) + 8;
  }
  return Math.ceil(y) + 12 + BAND;
}

/** The teeth of the kanga's border. */
function drawBand(pen: CanvasRenderingContext2D, top: number): void {
  pen.fillStyle = FOREST;
  pen.fillRect(0, top, WIDTH, BAND);
  pen.fillStyle = OCHRE;
  for (let x = 0; x < WIDTH; x += BAND) {
    pen.beginPath();
    pen.moveTo(x, top + BAND);
    pen.lineTo(x + BAND / 2, top + 2);
    pen.lineTo(x + BAND, top + BAND);
    pen.fill();
  }
}
