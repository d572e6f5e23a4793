# Steps for the scripts beside this file: source it.
#
# A step is a function. All steps run, also after one has failed; a summary with
# their times comes at the end, and the script fails when one of them did.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The checkout may belong to somebody else than who runs this, as in containers.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$PWD

# Larger sets of verified values and Discord's own description of its interface
# are not part of the project; tests that want them skip where they are absent.
if [[ -d ../shared ]]; then
	LASCA_SHARED=$(cd ../shared && pwd)
	export LASCA_SHARED
	if [[ -f $LASCA_SHARED/discord/openapi.json ]]; then
		export DISCORD_OPENAPI=$LASCA_SHARED/discord/openapi.json
	fi
fi

summary=()
failed=0

# step NAME COMMAND... runs a command, shows its output and its time.
step() {
	local name=$1 began=$SECONDS status=0
	shift
	printf '\n== %s\n' "$name"
	# In the background, since errexit sleeps where a status is asked for.
	(set -euo pipefail && "$@") &
	wait $! || status=$?
	local took=$((SECONDS - began)) verdict=ok
	if [[ $status -ne 0 ]]; then
		verdict=FAILED failed=1
	fi
	printf -- '-- %s: %s, %d s\n' "$name" "$verdict" "$took"
	summary+=("$(printf '%-6s %5d s  %s' "$verdict" "$took" "$name")")
}

# finish prints the summary and ends the script.
finish() {
	printf '\n== summary, %d s\n' "$SECONDS"
	printf '%s\n' "${summary[@]}"
	exit "$failed"
}

# tool NAME ARGUMENT... runs one of the pinned tools.
tool() { go tool -modfile=.ci/tools/go.mod "$@"; }

# install_missing installs with apt-get what tests need besides Go: a C compiler
# for the race detector, git, and a browser.
install_missing() {
	local missing=()
	command -v git >/dev/null || missing+=(git ca-certificates)
	command -v gcc >/dev/null || missing+=(gcc libc6-dev)
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
	if [[ ${#missing[@]} -eq 0 ]]; then
		echo 'nothing is missing'
		return
	fi
	if ! command -v apt-get >/dev/null || [[ $(id -u) -ne 0 ]]; then
		echo "missing: ${missing[*]}; install them, or run this as root on Debian"
		return 1
	fi
	apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
	echo "installed: ${missing[*]}"
}

# fuzz TIME runs every fuzz target for a time such as 3s. Targets are found in
# the sources, so that none is forgotten.
fuzz() {
	local file name bad=0 count=0 log
	log=$(mktemp)
	while IFS=: read -r file name; do
		name=${name#func }
		name=${name%(}
		count=$((count + 1))
		echo "fuzzing $name in $(dirname "$file")"
		# Without the minimising of inputs that are merely interesting, which
		# would go on after the time is over.
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" -fuzzminimizetime 5s -parallel 2 "./$(dirname "$file")" 2>&1 | tee "$log" && continue
		# Go sometimes takes the end of the time itself for a failure; then it
		# names no input.
		grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log" || bad=1
	done < <(grep -rHoE '^func Fuzz[A-Za-z0-9_]+\(' --include='*_test.go' . | sed 's|^\./||' | sort)
	echo "$count targets"
	[[ $count -gt 0 && $bad -eq 0 ]]
}
