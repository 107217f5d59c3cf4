/** The jets of black holes: stretched squares that turn about their axis to the viewer. */

export const JET_VERTEX = /* glsl */ `
  in float slot;
  in vec3 axis;
  in vec4 shape;
  in vec4 base;
  in vec3 tip;
  out vec2 spot;
  flat out vec4 paint;
  flat out vec3 end;
  flat out float power;

  void main() {
    vec3 centre = placeOf(slot).xyz;
    float part = position.y * 0.5 + 0.5;
    vec3 side = normalize(cross(axis, cameraPosition - centre));
    float width = shape.z + shape.y * shape.x * part;
    spot = vec2(position.x, part);
    paint = base;
    end = tip;
    power = shape.w;
    vec3 corner = centre + axis * (part * shape.x) + side * (position.x * width * 1.6);
    gl_Position = projectionMatrix * viewMatrix * vec4(corner, 1.0);
  }
`;

export const JET_FRAGMENT = /* glsl */ `
  in vec2 spot;
  flat in vec4 paint;
  flat in vec3 end;
  flat in float power;

  void main() {
    float across = exp(-spot.x * spot.x * 4.5);
    float knots = texture(noise, vec2(spot.x * 0.12, spot.y * 0.8 - time * 0.05)).r;
    float fade = pow(1.0 - spot.y, paint.a) * smoothstep(0.0, 0.04, spot.y);
    float strength = across * fade * (0.45 + 0.9 * knots) * power * 1.4;
    colour = vec4(mix(paint.rgb, end, smoothstep(0.0, 0.7, spot.y)) * strength, strength * 0.15);
  }
`;
