-- Functions of `table` that do not pass on what Lua's own would be busy with for too long; see `late` in `sandbox.lua`.
local native, known = ...
local _ENV <const> = native.std

function known.concat(t, separator, from, to)
  needs_table(t, "concat")
  to = to or #t
  if type(to) == "number" and to - (tonumber(from) or 1) > MANY then error("too many elements to concatenate", 2) end
  return concat(t, separator, from or 1, to)
end

-- With a function or a metamethod to compare by, hooks end it; without one nothing does.
function known.sort(t, ...)
  if (...) == nil and type(t) == "table" and rawlen(t) > MANY // 10 then error("too many elements to sort without a function", 2) end
  return sort(t, ...)
end

function known.move(from, first, last, ...)
  if type(first) == "number" and type(last) == "number" and last - first > MANY then error("too many elements to move", 2) end
  return move(from, first, last, ...)
end

function known.remove(t, ...)
  needs_table(t, "remove")
  local size = #t
  local at = size
  if select("#", ...) > 0 then
    at = tonumber((...))
    if not at or (at ~= size and (at < 1 or at > size + 1)) or at % 1 ~= 0 then
      error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
  end
  local value = t[at]
  for i = at, size - 1 do t[i] = t[i + 1] end
  if at < size then t[size] = nil else t[at] = nil end
  return value
end
