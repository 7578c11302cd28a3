// A terminal emulator (xterm.js) behind a pipe, for tests of what a person sees.
//
//   node emulator.mjs XTERM COLUMNS ROWS
//
// Each line of standard input is a request, each line of standard output its reply:
//   {"write": BASE64}                 what the program has written
//   {"resize": [COLUMNS, ROWS]}
//   {"cells": true}                   asks for "cells" in the reply: for each row [text, foreground, background, styles]
//   {}
// The reply has what the terminal answers to queries ("answer"), the lines of the screen, those that have scrolled
// away ("scroll"), the cursor, the modes, the title and whether the bell rang. Lines that the terminal has folded are one line in "scroll".
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [xterm, columns, rows] = process.argv.slice(2);
const { Terminal } = createRequire(import.meta.url)(`${xterm}/lib-headless/xterm-headless.js`);
const terminal = new Terminal({ cols: +columns, rows: +rows, scrollback: 100000, allowProposedApi: true });

let answer = "", title = "", bells = 0;
terminal.onData((data) => { answer += data; });
terminal.onTitleChange((text) => { title = text; });
terminal.onBell(() => { bells++; });

function lines(from, to) {
  const found = [];
  for (let i = from; i < to; i++) {
    const line = terminal.buffer.active.getLine(i);
    const text = line.translateToString(!terminal.buffer.active.getLine(i + 1)?.isWrapped);
    if (line.isWrapped && found.length) found[found.length - 1] += text;
    else found.push(text);
  }
  return found;
}

// The style of each cell of a row, as a letter: b bold, d dim, i italic, u underline, r reverse, c a colour of its own.
function styles(row) {
  const line = terminal.buffer.active.getLine(row);
  let text = "";
  for (let x = 0; line && x < terminal.cols; x++) {
    const cell = line.getCell(x);
    text += cell.isInverse() ? "r" : cell.isBold() ? "b" : cell.isDim() ? "d" : cell.isItalic() ? "i"
      : cell.isUnderline() ? "u" : !cell.isFgDefault() || !cell.isBgDefault() ? "c" : " ";
  }
  return text.trimEnd();
}

function color(cell, isForeground) {
  if (isForeground ? cell.isFgDefault() : cell.isBgDefault()) return null;
  const value = isForeground ? cell.getFgColor() : cell.getBgColor();
  return (isForeground ? cell.isFgRGB() : cell.isBgRGB()) ? [value >> 16, (value >> 8) & 255, value & 255] : value;
}

function cells() {
  const buffer = terminal.buffer.active;
  const found = [];
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y);
    const row = [];
    for (let x = 0; line && x < terminal.cols; x++) {
      const cell = line.getCell(x);
      row.push([cell.getChars(), color(cell, true), color(cell, false), (cell.isBold() ? "b" : "")
        + (cell.isDim() ? "d" : "") + (cell.isItalic() ? "i" : "") + (cell.isUnderline() ? "u" : "")
        + (cell.isInverse() ? "r" : "")]);
    }
    found.push(row);
  }
  return found;
}

function report(request) {
  const buffer = terminal.buffer.active;
  const screen = [], looks = [];
  for (let i = 0; i < terminal.rows; i++) {
    screen.push(buffer.getLine(buffer.baseY + i)?.translateToString(true) ?? "");
    looks.push(styles(buffer.baseY + i));
  }
  const told = { answer, screen, looks, all: lines(0, buffer.length), cursor: [buffer.cursorY, buffer.cursorX],
    alternate: buffer.type === "alternate", paste: terminal.modes.bracketedPasteMode, title, bells };
  answer = "";
  if (request.cells) told.cells = cells();
  process.stdout.write(JSON.stringify(told) + "\n");
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.resize) terminal.resize(...request.resize);
  await new Promise((done) => terminal.write(Buffer.from(request.write ?? "", "base64"), done));
  report(request);
}
