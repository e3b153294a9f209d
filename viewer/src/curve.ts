// A curve in a plane that changes its colour on the way.

/** One path for each stretch of equal colour; a missing place breaks the curve. A colour holds until the next sample. */
export function strokeCurve(ctx: CanvasRenderingContext2D, first: number, last: number, placeOf: (i: number) => [number, number] | null, colourOf: (i: number) => string): void {
  let open = false;
  for (let i = first; i <= last; i++) {
    const place = placeOf(i);
    if (!place) {
      if (open) ctx.stroke();
      open = false;
      continue;
    }
    if (open) ctx.lineTo(...place);
    const stroke = colourOf(i);
    if (!open || stroke !== colourOf(i - 1)) {
      if (open) ctx.stroke();
      ctx.strokeStyle = stroke;
      ctx.beginPath();
      ctx.moveTo(...place);
      open = true;
    }
  }
  if (open) ctx.stroke();
}
