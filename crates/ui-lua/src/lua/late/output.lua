-- `print`, `io`, the time of `os`, and `collectgarbage`; see `late` in `sandbox.lua`.
local native, known = ...
local _ENV <const> = native.std
local write, now = native.write, native.now

function known.print(...)
  local parts = { ... }
  local count = select("#", ...)
  for i = 1, count do parts[i] = tostring(parts[i]) end
  parts[count] = (parts[count] or "") .. "\n"
  write(1, concat(parts, "\t", count == 0 and 0 or 1, count))
end

local function put(target, ...)
  local parts = { ... }
  for i = 1, select("#", ...) do
    local kind = type(parts[i])
    if kind ~= "string" and kind ~= "number" then
      error("bad argument #" .. i .. " to 'write' (string expected, got " .. kind .. ")", 2)
    end
  end
  write(target.number, concat(parts))
  return target
end

-- The streams, which are tables with their number.
local file = {}
function file:write(...) return put(self, ...) end
function file:flush() return self end
function file:close() return true end
function file:setvbuf() return true end
function known.file(_, name) return file[name] end
function known.file_text() return "file" end

function known.write(...) return put(out, ...) end
function known.read() return nil end
function known.io_type(value)
  return getmetatable(value) == false and type(value) == "table" and rawget(value, "number") and "file" or nil
end

function known.time(...)
  if (...) == nil then return now() end
  return time(...)
end
function known.date(format, at) return date(format, at or now()) end
known.clock, known.collectgarbage = native.elapsed, native.raising(native.collect)
