-- Functions of `string` that count their steps; see `late` in `sandbox.lua`.
local native, known = ...
local raising, rep = native.raising, native.std.rep
local _ENV <const> = native.std

known.find, known.match, known.gsub = raising(native.find), raising(native.match), raising(native.gsub)

local gmatch, gmatch_start = native.gmatch, native.gmatch_start

-- `gmatch` answers the end of the match before the captures.
local function advance(state, ok, finish, ...)
  if not ok then error(finish, 2) end
  if finish == nil then return nil end
  state.from, state.last = finish, finish
  return ...
end
function known.gmatch(text, pattern, init)
  local ok, from = gmatch_start(text, pattern, init)
  if not ok then error(from, 2) end
  local state = { from = from }
  return function() return advance(state, gmatch(text, pattern, state.from, state.last)) end
end

-- Lua's own counts out how often nothing is repeated.
function known.rep(text, n, ...)
  if text == "" and tonumber(n) then
    local separator = ...
    if separator == nil or separator == "" then return "" end
  end
  return rep(text, n, ...)
end
