// Package tune learns the numbers of the evaluation from games of self-play.
package tune
